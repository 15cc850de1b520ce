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
    const { answers: { boards, page, periods }, current, viewer } = this;
    // A board that the public list lacks may be for members.
    const extra = (boards && !current) || this.matches("[bars],[columns],[link],[points]");
    if (viewer || extra) need();
    if ((extra && need("extra") && this.given("link")) || !current) return wants; // a link names the view
    const path = this.path(current);
    let period = this.attr("period");
    const previous = period === "previous";
    if (this.given("periods") || previous) wants.periods = [this.address(`${path}/periods`), Infinity];
    if (previous) {
      if (!periods) return wants;
      period = periods.periods.find((p) => Date.parse(p.endsAt) <= this.now)?.period;
    }
    // One read of the whole length, so that a user who moves between two pages is not missed.
    const length = this.perPage + this.further;
    const friends = this.given("friends");
    const url = this.address(friends ? `${path}/${this.me}/friends` : path, { with: !friends && "movement", period });
    wants.page = [url, this.every, friends, length];
    if (viewer && !friends && page?.total && !page.entries.some(this.mine, this)) {
      wants.own = [this.address(`${path}/${this.me}`, { around: 1, with: "movement", period })];
    }
    if (!page) return wants;
    // A board that has just begun shows the winners of the one before.
    const start = Date.parse(page.startsAt);
    if (!friends && !period && this.now - start < (Date.parse(page.endsAt) - start) / 4) {
      wants.winners = [this.address(`${path}/winners`), Infinity, false, 1];
    }
    return { ...wants, ...this.wantsOwn?.(page) };
  }

  get room() {
    const layout = this.attr("layout");
    const [row, rest] = { compact: [1.98, 3], podium: [2.58, 7.5] }[layout] ?? [2.58, 5];
    const rows = Math.min(10, +this.attr("limit") || 10);
    // Members may be on the page, or have four rows more below it: there is room for half of that.
    const below = (this.viewer ? 6 : 0) + (this.given("more") || this.given("periods") ? 2 : 0);
    return `calc(${rows * row + rest + below}em + ${rows}px)`;
  }

  show(page) {
    const { say: { t, n, title, label }, viewer, tabs, current, perPage } = this;
    const periods = this.answers.periods?.periods;
    const layout = this.attr("layout", "table");
    if (!/^(table|podium|compact)$/.test(layout)) this.wrong("layout");
    if ((layout === "podium" || viewer) && need()) return;
    const own = viewer && this.near;
    const compact = layout === "compact";
    const over = this.over(page);
    const entries = [...page.entries];
    const last = entries.at(-1)?.rank;
    const known = !compact && entries.some((e) => e.previousRank); // else all are new
    const [standing, above] = this.place?.(page) ?? []; // without it where the second part cannot be loaded
    const near = own ? own.entries.filter((o) => !o.rank || !entries.some((e) => e.rank === o.rank)) : [];
    const when = title(page, over);
    const name = label(this.listed?.labels) ?? when;
    const several = tabs[1] && !this.data;
    const small = (!several || over) && name !== when && when;
    const long = [...entries, ...near].some((e) => e.rank > 99 || e.score > 9999); // names need the room of ranks
    const faces = !compact && this.attr("avatars") !== "off";
    const rows = (some, tag = "tr", cell = "td", p = "row", stop = null) => some.map((e) => {
      const mine = this.mine(e);
      const moved = known && e.rank && this.movement(e.previousRank, e.rank, page.window);
      return h(tag, { p: p + (mine ? " mine" : ""), key: e.user.id ?? e.rank, "aria-current": mine },
        h(cell, { p: "rank" }, `${e.rank ? n(e.rank) : "–"}${moved ? " " : ""}`, tag === "tr" && moved), tag === "li" && moved, // a word of its own
        h(cell, { p: "name" }, this.person(e, faces, stop)), h(cell, { p: "score" }, n(e.score)));
    });
    const places = layout === "podium" && !this.offset ? entries.splice(0, 3) : [];
    const button = (word, off, onclick, p = "window", pressed = null) => h("button", { type: "button", p, tabindex: -1, ".disabled": off, "aria-pressed": pressed, onclick }, t(word));
    // stop makes the first control of a toolbar that can be used, or one of them, its stop of Tab.
    const bar = (p, all, stop = all.find((c) => !c.a[".disabled"])) => {
      if (stop) stop.a.tabindex &&= 0; // the button that opens the list has none
      return h("div", { p, role: "toolbar", "aria-label": name }, all);
    };
    const at = periods?.findIndex((p) => p.period === page.period);
    const rank = [...places, ...entries, ...near].find(this.mine, this)?.rank;
    this.announce?.(page.board + page.window + page.period + viewer, rank);
    const windows = tabs.map((w, i, all, now = w === current && !over) => button(w, false, () => this.turn(w, ""), now ? "window current" : "window", `${now}`));
    const tools = [
      standing && this.why?.(page, standing),
      ...(this.given("periods") && periods?.[1] ? [
        button("earlier", at > periods.length - 2, () => this.turn(current, periods[at + 1].period)), button("later", at < 1, () => this.turn(current, periods[at - 1].period))] : []),
      this.given("more") && last < page.total && button("more", false, () => this.update(this.further += perPage), "window more")].filter(Boolean);
    return [
      h("div", { p: "header" },
        h("slot", { name: "heading" }, h("h2", { p: "heading" }, this.attr("label", name), small && h("small", {}, small))),
        several && bar("windows", windows, windows[tabs.indexOf(current)])),
      !over && this.won(page),
      places[0] && h("ol", { p: "podium" }, rows(places, "li", "div", "place")),
      (entries[0] || near[0]) && h("table", { p: `table${compact ? " compact" : ""}${long ? " long" : ""}`, "aria-label": `${name}, ${when}` },
        !compact && h("thead", {}, h("tr", {}, ["rank", "name", "score"].map((c) => h("th", { class: `th ${c}` }, c === "score" ? this.unit : t(c))))),
        h("tbody", { p: "rows" }, rows(entries), near[0]?.rank > last + 1 && h("tr", { class: "gap", key: "…" }, h("td", { colspan: 3 }, "⋯")), rows(near, "tr", "td", "row", -1))),
      !last && h("slot", { name: "empty" }, h("p", { p: "empty" }, t(page.total ? "none" : over ? "emptyover" : "empty"))),
      h("div", { p: "footer" },
        standing && this.chase && h("p", { p: "standing" }, this.chase(page, standing, above)),
        known && [...entries, ...near].some((e) => e.rank !== e.previousRank) && h("p", { p: "since" }, `▲▼ ${t("since" + page.window)}`),
        tools[0] && bar("tools", tools),
        h("slot", { name: "footer" })),
      h("p", { p: "status", role: "status" }, this.news),
    ];
  }

  turn(window, period) {
    this.further = 0;
    this.setAttribute("window", window);
    this.setAttribute("period", period);
    this.tell("change", { window, period });
  }
}
