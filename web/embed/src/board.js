// <laurel-board>: a leaderboard.
import { Element, need } from "./element.js";
import { h } from "./tree.js";

export class Board extends Element {
  offset = 0; // rows before the first

  get perPage() {
    return this.number("limit", 10, 1, 100);
  }

  /** tabs are the windows to choose from. */
  get tabs() {
    return this.attr("windows").match(/\w+/g) ?? this.listed?.windows ?? [];
  }

  get current() {
    return this.attr("window", this.tabs[0]);
  }

  wants() {
    const wants = this.wantsBoards;
    const { current, viewer } = this;
    const periods = this.answers.periods?.periods;
    const extra = ["bars", "columns", "link", "points"].some((name) => this.given(name));
    if (viewer || extra) need();
    if ((extra && need("extra") && this.given("link")) || !current) return wants; // a link says what to read
    const path = this.path(current);
    let period = this.attr("period");
    const previous = period === "previous";
    if (this.given("periods") || previous) wants.periods = [this.address(`${path}/periods`), Infinity];
    if (previous) {
      if (!periods) return wants;
      period = periods.find((p) => Date.parse(p.endsAt) <= this.now)?.period;
    }
    // One read of the whole length, so that nobody who moves between two pages is on none.
    const length = this.perPage + this.further;
    const friends = this.given("friends");
    const url = this.address(friends ? `${path}/${this.me}/friends` : path, { with: !friends && "movement", limit: Math.min(length, 100), period });
    wants.page = [`${url}#${length}`, this.every, friends];
    const { page } = this.answers;
    if (viewer && !friends && page?.total && !page.entries.some((e) => this.mine(e))) {
      wants.own = [this.address(`${path}/${this.me}`, { around: 1, with: "movement", period })];
    }
    if (!page) return wants;
    // A board that has just begun tells who won the one before.
    const start = Date.parse(page.startsAt);
    if (!friends && !period && this.now - start < (Date.parse(page.endsAt) - start) / 4) {
      wants.winners = [this.address(`${path}/winners`, { limit: 1 }), Infinity];
    }
    return { ...wants, ...this.wantsOwn?.(page, this.place(page)[0]) };
  }

  /** place returns the member's standing, who is before, and whether the member is on the page. */
  place({ entries, standing }) {
    const mine = (e) => this.mine(e);
    const of = entries.find(mine) ? entries : (this.near?.entries ?? []);
    const at = of.findIndex(mine);
    const [above, me] = [of[at - 1], of[at]];
    const known = standing ?? this.near?.standing;
    const computed = me?.rank && (above || me.rank === 1) && { ...me, toNext: above ? above.score - me.score + 1 : null };
    return [computed || known, above];
  }

  /** near is the answer with the member's place, where it is none of the page. */
  get near() {
    const { page, own } = this.answers;
    return own?.period === page.period && own.window === page.window && !page.entries.some((e) => this.mine(e)) && own;
  }

  get room() {
    const rows = Math.min(10, +this.attr("limit") || 10) + (this.attr("layout") === "podium" ? 2 : 0);
    return `calc(${rows * 2.58 + 4 + (this.viewer ? 2.2 : 0)}em + ${rows}px)`;
  }

  show(page) {
    if (this.reads.winners && need()) return;
    const { say: { t, n, title, label }, viewer, tabs, current, perPage, near: own } = this;
    const periods = this.answers.periods?.periods;
    const layout = this.attr("layout", "table");
    if (!/^(table|podium|compact)$/.test(layout)) this.wrong("layout");
    const compact = layout === "compact";
    const over = this.over(page);
    const entries = [...page.entries];
    const last = entries.at(-1)?.rank;
    const known = !compact && page.window !== "all" && entries.some((e) => e.previousRank); // else all are new
    const [standing, above] = this.place(page);
    const near = own ? own.entries.filter((o) => !entries.some((e) => e.rank === o.rank)) : [];
    const when = title(page, over);
    const name = label(this.listed?.labels) ?? when;
    const several = tabs[1] && !this.data;
    const now = (w) => w === current && !over; // whether the tab tells what is shown
    const small = (!several || over) && name !== when && when;
    const faces = !compact && this.attr("avatars") !== "off";
    const rows = (some, tag = "tr", cell = "td", p = "row") => some.map((e) => {
      const mine = this.mine(e);
      return h(tag, { p: p + (mine ? " mine" : ""), key: e.user.id ?? e.rank, "aria-current": !!mine },
        h(cell, { p: "rank" }, e.rank ? n(e.rank) : "–", known && e.rank && this.movement(e.previousRank, e.rank, page.window)),
        h(cell, { p: "name" }, this.person(e, faces)), h(cell, { p: "score" }, n(e.score)));
    });
    const places = layout === "podium" && !this.offset ? entries.splice(0, 3) : [];
    const button = (word, off, onclick, p = "window", pressed = null) => h("button", { type: "button", p, ".disabled": off, "aria-pressed": pressed, onclick }, t(word));
    const at = periods?.findIndex((p) => p.period === page.period);
    const rank = [...places, ...entries, ...near].find((e) => this.mine(e))?.rank;
    this.announce?.(page.board + page.window + page.period + viewer, rank);
    return [
      h("div", { p: "header" },
        h("slot", { name: "heading" }, h("h2", { p: "heading" }, this.attr("label", name), small && h("small", {}, small))),
        several && h("div", { p: "windows", role: "group", "aria-label": name },
          tabs.map((w) => button(w, false, () => this.turn(w, ""), now(w) ? "window current" : "window", `${now(w)}`)))),
      !over && this.won?.(page),
      places[0] && h("ol", { p: "podium" }, rows(places, "li", "div", "place")),
      (entries[0] || near[0]) && h("table", { p: "table", "aria-label": `${name}, ${when}` },
        !compact && h("thead", {}, h("tr", {}, ["rank", "name", "score"].map((c) => h("th", { class: c }, c === "score" ? this.unit : t(c))))),
        h("tbody", { p: "rows" }, rows(entries), near[0]?.rank > last + 1 && h("tr", { class: "gap", key: "…" }, h("td", { colspan: 3 }, "⋯")), rows(near))),
      !last && h("slot", { name: "empty" }, h("p", { p: "empty" }, t(page.total ? "none" : over ? "emptyover" : "empty"))),
      h("div", { p: "footer" },
        standing && this.chase && h("p", { p: "standing" }, this.chase(page, standing, above)),
        standing && this.why?.(page, standing),
        known && [...entries, ...near].some((e) => e.rank !== e.previousRank) && h("p", { p: "since" }, `▲▼ ${t(`since${page.window}`)}`),
        this.given("periods") && periods?.[1] && [
          button("earlier", at > periods.length - 2, () => this.turn(current, periods[at + 1].period)), button("later", at < 1, () => this.turn(current, periods[at - 1].period))],
        this.given("more") && last < page.total && button("more", false, () => this.update((this.further += perPage), (this.roomy = true)), "window more"),
        h("slot", { name: "footer" })),
      h("p", { p: "status", role: "status" }, this.news),
    ];
  }

  turn(window, period) {
    this.further = 0;
    this.roomy = true;
    this.setAttribute("window", window);
    this.setAttribute("period", period);
    this.tell("change", { window, period });
  }
}
