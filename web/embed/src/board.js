// <laurel-board>: a leaderboard.
import { Element, need } from "./element.js";
import { h } from "./tree.js";

export class Board extends Element {
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
    if (!current) return wants;
    const has = (name) => this.hasAttribute(name);
    const path = `boards/${this.attr("board", "activity")}/${current}`;
    let period = this.attr("period");
    const previous = period === "previous";
    if (has("periods") || previous) wants.periods = [this.address(`${path}/periods`), Infinity];
    if (previous) {
      if (!periods) return wants;
      period = periods.find((p) => Date.parse(p.endsAt) <= this.now)?.period;
    }
    // One read of the whole length, so that nobody who moves between two pages is on none.
    const length = this.perPage + this.further;
    const query = { limit: Math.min(length, 100), period };
    const whole = (url) => (length > 100 ? `${url}#${length}` : url);
    wants.page = has("friends") ? [whole(this.address(`${path}/${this.me}/friends`, query)), this.every, true] : [whole(this.address(path, { with: "movement", ...query }))];
    const { page } = this.answers;
    if (viewer && !has("friends") && page?.total && !page.entries.some((e) => e.user.id === viewer)) {
      wants.own = [this.address(`${path}/${this.me}`, { around: 1, with: "movement", period })];
    }
    if (viewer) need();
    if (!page) return wants;
    // A board that has just begun tells who won the one before.
    const start = Date.parse(page.startsAt);
    if (!has("friends") && !period && this.now - start < (Date.parse(page.endsAt) - start) / 4) {
      need();
      wants.winners = [this.address(`${path}/winners`, { limit: 1 }), Infinity];
    }
    return { ...wants, ...this.wantsOwn?.(page, this.place(page)[0]) };
  }

  /** place returns the member's standing, who is before, and whether the member is on the page. */
  place({ entries, standing }) {
    const mine = (e) => e.user.id === this.viewer;
    const of = entries.find(mine) ? entries : (this.near?.entries ?? []);
    const at = this.viewer ? of.findIndex(mine) : -1;
    const [above, me] = [of[at - 1], of[at]];
    const known = standing ?? this.near?.standing;
    const computed = me?.rank && (above || me.rank === 1) && { ...me, toNext: above ? above.score - me.score + 1 : null };
    return [computed || known, above];
  }

  /** near is the answer with the member's place, where it is none of the page. */
  get near() {
    const { page, own } = this.answers;
    return own?.period === page.period && own.window === page.window && !page.entries.some((e) => e.user.id === this.viewer) && own;
  }

  get room() {
    const rows = Math.min(10, +this.attr("limit") || 10) + (this.attr("layout") === "podium" ? 2 : 0);
    return `calc(${rows * 2.58 + 4 + (this.viewer ? 2.2 : 0)}em + ${rows}px)`;
  }

  show(page) {
    const { say: { t, n, title, label }, viewer, tabs, current, perPage } = this;
    const periods = this.answers.periods?.periods;
    const layout = this.attr("layout", "table");
    if (!/^(table|podium|compact)$/.test(layout)) this.wrong("layout");
    const compact = layout === "compact";
    const has = (name) => this.hasAttribute(name);
    const over = this.over(page);
    const entries = [...page.entries];
    const last = entries.at(-1)?.rank;
    const known = !compact && page.window !== "all" && entries.some((e) => e.previousRank); // else all are new
    const own = this.near;
    const [standing, above] = this.place(page);
    const near = own ? own.entries.filter((o) => !entries.some((e) => e.rank === o.rank)) : [];
    const when = title(page, over);
    const name = label(this.listed?.labels) ?? when;
    const several = !this.data && tabs.length > 1;
    const now = (w) => w === current && !over; // whether the tab tells what is shown
    const small = !(several && now(current)) && name !== when && when;
    const faces = !compact && this.attr("avatars") !== "off";
    const row = (e, tags, place) => {
      const mine = viewer && e.user.id === viewer;
      const cell = (i, p, ...c) => h(tags[i], { p }, c);
      return h(tags[3], { p: place + (mine ? " mine" : ""), key: e.user.id ?? e.rank, "aria-current": !!mine },
        cell(0, "rank", e.rank ? n(e.rank) : "–", known && e.rank && this.movement(e.previousRank, e.rank, page.window)),
        cell(1, "name", this.person(e, faces)), cell(2, "score", n(e.score)));
    };
    const rows = (some) => some.map((e) => row(e, ["td", "td", "td", "tr"], "row"));
    const places = layout === "podium" ? entries.splice(0, 3) : [];
    const button = (word, off, onclick, p = "window", pressed = null) => h("button", { type: "button", p, ".disabled": off, "aria-pressed": pressed, onclick }, t(word));
    const at = periods?.findIndex((p) => p.period === page.period);
    const rank = [...places, ...entries, ...near].find((e) => viewer && e.user.id === viewer)?.rank;
    this.announce(page.board + page.window + page.period + viewer, rank);
    return [
      h("div", { p: "header" },
        h("slot", { name: "heading" }, h("h2", { p: "heading" }, this.attr("label", name), small && h("small", {}, small))),
        several && h("div", { p: "windows", role: "group", "aria-label": name },
          tabs.map((w) => button(w, false, () => this.turn(w, ""), now(w) ? "window current" : "window", `${now(w)}`)))),
      !over && this.won?.(page),
      places[0] && h("ol", { p: "podium" }, places.map((e) => row(e, ["span", "div", "span", "li"], "place"))),
      (entries[0] || near[0]) && h("table", { p: "table", "aria-label": `${name}, ${when}` },
        !compact && h("thead", {}, h("tr", {}, ["rank", "name", "score"].map((c) => h("th", { class: c }, c === "score" ? this.unit : t(c))))),
        h("tbody", { p: "rows" }, rows(entries), near[0]?.rank > last + 1 && h("tr", { class: "gap", key: "…" }, h("td", { colspan: 3 }, "⋯")), rows(near))),
      !last && h("slot", { name: "empty" }, h("p", { p: "empty" }, t(page.total ? "none" : over ? "emptyover" : "empty"))),
      h("div", { p: "footer" },
        standing && this.chase && h("p", { p: "standing" }, this.chase(page, standing, above)),
        standing && this.why?.(page, standing),
        known && [...entries, ...near].some((e) => e.rank !== e.previousRank) && h("p", { p: "since" }, `▲▼ ${t(`since${page.window}`)}`),
        has("periods") && periods?.[1] && [
          button("earlier", at > periods.length - 2, () => this.turn(current, periods[at + 1].period)), button("later", at < 1, () => this.turn(current, periods[at - 1].period))],
        has("more") && last < page.total && button("more", false, () => this.update((this.further += perPage), (this.roomy = true)), "window more"),
        h("slot", { name: "footer" })),
      h("p", { p: "status", role: "status" }, this.news),
    ];
  }

  /** announce tells when one's own place has changed, and nothing else. */
  announce(of, to) {
    const [before, from] = this.stood ?? [];
    this.stood = [of, to];
    if (before !== of) this.news = "";
    else if (from && to && to !== from) {
      this.news = this.say.t("now", { place: this.say.place(to) });
      this.tell("rank", { from, to });
    }
  }

  turn(window, period) {
    this.further = 0;
    this.roomy = true;
    this.setAttribute("window", window);
    this.setAttribute("period", period);
    this.tell("change", { window, period });
  }

  /** earned moves the own row to the score of a receipt, without a request. */
  earned({ board, day, scores }) {
    for (const key of ["page", "own"]) {
      const answer = this.answers[key];
      const score = scores?.[answer?.window];
      const mine = answer?.entries.find((e) => e.user.id === this.viewer);
      if (!mine || board !== answer.board || !score || !day.startsWith(answer.period.replace(/W.*|all/, ""))) continue;
      const others = answer.entries.filter((e) => e !== mine);
      others.splice(others.filter((e) => e.score >= score).length, 0, { ...mine, score }); // the first to reach it keeps the place
      const first = answer.entries[0].rank || 1;
      this.answers[key] = { ...answer, entries: others.map((e, i) => ({ ...e, rank: e.score && first + i })) };
    }
    this.reads.today?.load();
    this.update();
  }
}

document.addEventListener("laurel-receipts", ({ detail }) => {
  for (const board of document.querySelectorAll("laurel-board")) detail.receipts.forEach((r) => board.earned(r));
});
