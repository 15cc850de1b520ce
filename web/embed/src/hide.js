// <laurel-hide>: lets visitors take themselves off the boards, and back on.
import { h, ask, reloadAll } from "./core.js";

export const hide = {
  wants() {
    return { page: [this.address(`${this.me}/visibility`), Infinity, true], exclusion: [this.address(`${this.me}/exclusion`), Infinity, true] };
  },

  show({ boards }) {
    const { t } = this.say;
    const excluded = !!this.answers.exclusion?.excluded;
    return [
      h("label", { part: "label" },
        h("input", { type: "checkbox", part: "switch", ".disabled": excluded, ".checked": !excluded && (this.wanted ?? boards === "shown"), onchange: (e) => this.put(e.target.checked) }),
        t("shown")),
      excluded && h("p", { p: "standing" }, t("unseen"))];
  },

  /** put sends the switch's choices, one after the other, also while nobody sees it. */
  async put(shown) {
    this.wanted = shown;
    if (this.sending) return;
    const [url] = this.wants().page;
    for (let sent; this.wanted !== sent;) {
      this.sending = true;
      sent = this.wanted;
      try {
        const answer = await ask(url, this.bearer, "PUT", { boards: sent ? "shown" : "hidden" });
        this.readOf(url, true).take(this.answers.page = answer);
        this.tell("change", answer);
      } catch (error) {
        this.tell("error", error);
      }
    }
    this.sending = this.wanted = null;
    this.update();
    reloadAll(this);
  },
};
