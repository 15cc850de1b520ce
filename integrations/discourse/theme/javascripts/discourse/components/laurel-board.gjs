import Component from "@glimmer/component";
import { service } from "@ember/service";
import { htmlSafe } from "@ember/template";

// The board, and what else the settings ask for. It marks the place of who is logged in: an id that the forum shows to
// everybody, so it takes no token.
export default class LaurelBoard extends Component {
  @service currentUser;

  get user() {
    return this.currentUser && String(this.currentUser.id);
  }

  get standing() {
    return settings.laurel_standing && this.user;
  }

  // How high the board will be, so that nothing moves when it is there.
  get room() {
    const [row, rest] = { compact: [2.04, 3], podium: [2.64, 7.5], table: [2.64, 5] }[settings.laurel_layout];
    const rows = Math.min(10, settings.laurel_limit);
    return htmlSafe(`--laurel-room: ${(row * rows + rest + (this.user ? 6 : 0)).toFixed(1)}em`);
  }

  <template>
    {{#if this.standing}}
      <laurel-standing class="laurel" board={{settings.laurel_board}} window="month" user={{this.user}}></laurel-standing>
    {{/if}}
    <laurel-board
      class="laurel"
      style={{this.room}}
      board={{settings.laurel_board}}
      windows={{settings.laurel_windows}}
      layout={{settings.laurel_layout}}
      limit={{settings.laurel_limit}}
      user={{this.user}}
    ></laurel-board>
    {{#if settings.laurel_winners}}
      <laurel-winners class="laurel" board={{settings.laurel_board}} window="month" limit="3"></laurel-winners>
    {{/if}}
    {{#if settings.laurel_hot}}
      <laurel-hot class="laurel" limit="5"></laurel-hot>
    {{/if}}
  </template>
}
