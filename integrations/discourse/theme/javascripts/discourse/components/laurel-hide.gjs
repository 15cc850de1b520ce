import Component from "@glimmer/component";
import { service } from "@ember/service";
import { modifier } from "ember-modifier";
import I18n from "discourse-i18n";

// The switch to hide in the member's own preferences. It takes a token, for which the member is sent to Laurel and
// comes back at once: Discourse says who it is.
export default class LaurelHide extends Component {
  @service currentUser;

  sign = modifier((element) => {
    element.token = this.token;
  });

  constructor() {
    super(...arguments);
    this.token = new URLSearchParams(location.hash.slice(1)).get("laurel");
    if (this.token) {
      history.replaceState(history.state, "", location.pathname + location.search);
    }
  }

  get own() {
    return settings.laurel_login && this.args.outletArgs.model.id === this.currentUser?.id;
  }

  get user() {
    return String(this.currentUser.id);
  }

  get login() {
    const url = settings.laurel_url.trim().replace(/\/+$/, "");
    return `${url}/v1/login/discourse?return=${encodeURIComponent(location.origin + location.pathname)}`;
  }

  get words() {
    return I18n.t(themePrefix("laurel_hide"));
  }

  <template>
    {{#if this.own}}
      <div class="control-group laurel-preferences">
        {{#if this.token}}
          <laurel-hide user={{this.user}} {{this.sign}}></laurel-hide>
        {{else}}
          <a class="btn btn-default" href={{this.login}}>{{this.words}}</a>
        {{/if}}
      </div>
    {{/if}}
  </template>
}
