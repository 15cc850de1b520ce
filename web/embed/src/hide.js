// <laurel-hide>: lets visitors take themselves off the boards, and back on.
import { Element } from "./element.js";
import { ask } from "./reads.js";
import { h } from "./tree.js";

export class Hide extends Element {
  get path() {
    return this.address(`${this.me}/visibility`);
  }

  wants() {
    return { page: [this.path, Infinity, true] };
  }

  show({ boards }) {
    return h("label", { part: "label" },
      h("input", { type: "checkbox", part: "switch", ".checked": boards === "shown", onchange: (e) => this.put(e.target.checked) }),
      this.say.t("shown"));
  }

  async put(shown) {
    try {
      this.answers.page = await ask(this.path, this.bearer, "PUT", { boards: shown ? "shown" : "hidden" });
      this.tell("change", this.answers.page);
    } catch (error) {
      this.tell("error", error);
    }
    this.update();
  }
}
