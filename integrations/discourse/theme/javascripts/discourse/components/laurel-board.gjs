import Component from "@glimmer/component";
import { service } from "@ember/service";

// The board marks the place of who is logged in: an id that the forum shows to everybody, so it takes no token.
export default class LaurelBoard extends Component {
  @service currentUser;

  get user() {
    return this.currentUser && String(this.currentUser.id);
  }

  <template>
    <laurel-board
      class="laurel"
      board={{settings.laurel_board}}
      windows={{settings.laurel_windows}}
      layout={{settings.laurel_layout}}
      limit={{settings.laurel_limit}}
      user={{this.user}}
    ></laurel-board>
  </template>
}
