// <laurel-hide>: lets visitors take themselves off the boards, and back on.
import { Element } from "./element.js";
import { ask } from "./reads.js";
import { h } from "./tree.js";

export class Hide extends Element {
  wants() {
    return { page: [this.address(`${this.me}/visibility`), Infinity, true] };
  }

  show({ boards }) {
    return h("label", { part: "label" },
      h("input", { type: "checkbox", part: "switch", ".checked": boards === "shown", onchange: (e) => this.put(e.target.checked) }),
      this.say.t("shown"));
  }

  async put(shown) {
    const { page } = this.reads;
    try {
      this.tell("change", await ask(page.url, this.bearer, "PUT", { boards: shown ? "shown" : "hidden" }));
    } catch (error) {
      this.tell("error", error);
    }
    page.load(); // what holds now
  }
}
