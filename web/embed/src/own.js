// Texts of an element about the member whose page it is: how far the next place is, and why.
import { h } from "./core.js";
import { versionOf } from "./rules.js";
import { stateOf } from "./states.js";
import { bearerOf } from "./token.js";

/** timeOf returns how long some ms are: in days from two on, in hours, in minutes. */
const timeOf = (n, ms) => {
  const [unit, one] = ms >= 1728e5 ? ["day", 864e5] : ms >= 36e5 ? ["hour", 36e5] : ["minute", 6e4];
  return n(Math.max(1, Math.floor(ms / one)), { style: "unit", unit, unitDisplay: "long" });
};

/** own are methods of all elements. */
export const own = {
  get bearer() {
    return bearerOf(this.token, this.attr("token-url"));
  },

  /** place returns the member's standing, the user before, and whether the member is on the page. */
  place({ entries, standing }) {
    const mine = (e) => this.mine(e);
    const of = entries.find(mine) ? entries : (this.near?.entries ?? []);
    const at = of.findIndex(mine);
    const [above, me] = [of[at - 1], of[at]];
    const known = standing ?? this.near?.standing;
    const computed = me?.rank && (above || me.rank === 1) && { ...me, toNext: above ? above.score - me.score + 1 : null };
    return [computed || known, above];
  },

  /** near is the answer with the member's place, where it is none of the page. */
  get near() {
    const { page, own } = this.answers;
    if (page.entries.some((e) => this.mine(e))) return;
    const { standing } = page; // among friends
    if (!standing) return own?.period === page.period && own.window === page.window && own;
    const last = page.entries.at(-1);
    return { entries: [...(last?.rank && last.rank === standing.rank - 1 ? [last] : []), standing] };
  },

  /** wantsOwn are the private reads about a member's place: a user who is on no public board may be hidden. */
  wantsOwn(page, standing = this.place(page)[0]) {
    if (!standing || !this.bearer || this.over(page)) return {};
    const mine = (path, every = Infinity) => [this.address(`${this.me}/${path}`), every, true];
    const since = new Date(page.startsAt).toISOString();
    const kept = (this.asks || this.fall(page, standing)) && {
      kept: [this.address(`${this.me}/entries`, { board: page.board, since }), 5 * this.every, true, 5000],
    };
    if (!standing.rank) return { ...kept, self: mine("standings", 5 * this.every), visibility: mine("visibility"), exclusion: mine("exclusion") };
    return kept || standing.toNext && { rules: [this.address("rules"), Infinity], today: [...mine("activity", 5 * this.every), 1, "days"] };
  },

  /** slowly is the pace of reads that rarely change. */
  slowly() {
    return this.given("refresh") ? this.every : 3e5;
  },

  /** chase describes the distance to the next place and the time left, or the end. above is the user with that place. */
  chase(page, standing, above) {
    const { t, n, place } = this.say;
    const time = (ms) => timeOf(n, ms);
    const { window, total } = page;
    const end = Date.parse(page.endsAt);
    const left = end - this.now;
    const over = left <= 0;
    const { visibility, exclusion } = over || standing.rank ? {} : this.answers;
    if (exclusion?.excluded) return t("unseen");
    const own = visibility && this.alone(page);
    const { rank, toNext } = own ?? standing;
    const name = above && `\u2068${above.user.name || (above.user.id ?? t("erased"))}\u2069`;
    const what = toNext && !over && this.invite(page, toNext);
    const key = over ? (rank ? "finished" : "offover") : own && visibility?.boards === "hidden" ? "hidden" : rank ? (toNext ? (name ? "gap" : "gapto") : "lead") : visibility?.boards === "hidden" ? "unseen" : "off";
    const said = t(key, {
      n: what ? 0 : toNext, what: what || t("amount", { n: toNext, unit: this.unit }), name, total,
      place: key[0] === "g" ? above && place(above.rank) : rank && place(rank),
    });
    const more = this.now < Date.parse(page.startsAt) ? "" : left > 0 ? t("left", { time: time(left) }) : -left < end - Date.parse(page.startsAt) && t(`next${window}`);
    return [said, more, this.fell(page, standing)].filter(Boolean).join(" ").replaceAll("。 ", "。");
  },

  /** alone is the standing that the member alone sees. */
  alone({ board, window, period }) {
    return this.answers.self?.standings.find((s) => s.board === board && s.window === window && s.period === period && s.rank);
  },

  /** fall returns by how much the member's score is below that of the last visit, half an hour ago or longer, and when that was. */
  fall(page, { rank, score }) {
    const { self, visibility, exclusion } = this.answers;
    if (!rank) {
      if (!self || !visibility || !exclusion || exclusion.excluded) return; // it is not known
      const own = this.alone(page);
      if (!own && visibility.boards === "hidden") return;
      score = own?.score ?? 0;
    }
    const { board, window, period } = page;
    const key = `laurel ${this.me} ${board} ${window}`;
    try {
      const [of, before, then, last, seen] = JSON.parse(localStorage[key] ?? "[]");
      const [was, when] = of !== period ? [score] : this.now - seen > 18e5 ? [last, seen] : [before, then];
      localStorage[key] = JSON.stringify([period, was, when, score, this.now]);
      return was > score && [was - score, when];
    } catch {} // the browser keeps nothing
  },

  /** fell says that the score has fallen since the last visit, and names causes: acts of a void pair, for an own account or taken back, and awards below zero. */
  fell(page, standing) {
    const [by, since] = (this.bearer && !this.over(page) && this.fall(page, standing)) || [];
    if (!by) return "";
    const { t, tag } = this.say;
    const causes = this.partsOf(page, ({ state, points, firstAt, undoneAt }) =>
      /voided|merged/.test(state) || (state === "undone" ? !(Date.parse(undoneAt) < since) : points < 0 && Date.parse(firstAt) > since));
    const what = new Intl.ListFormat(tag).format(causes.map((g) => (g.sum < 0 ? g.what : t(g.state, g))));
    return t(what ? "fell" : "fewer", { value: t("amount", { n: by, unit: this.unit }), what });
  },

  /** partsOf returns the member's entries in a page's period that a condition holds for, those of one kind together, in words. */
  partsOf({ startsAt, endsAt }, chosen) {
    const { t } = this.say;
    const groups = {};
    for (const entry of this.answers.kept?.entries ?? []) {
      const { action, state, points, value, day, reason = "" } = entry;
      if (day < startsAt.slice(0, 10) || day >= endsAt?.slice(0, 10) || !chosen(entry)) continue;
      const of = (groups[state + action + reason] ??= { action, state, reason, n: 0, sum: 0 });
      of.n += value ?? 1;
      of.sum += points;
    }
    for (const g of Object.values(groups)) {
      g.what = (t(g.action, { n: g.n }) || t("amount", { n: g.n, unit: g.action })) + (g.reason && ` (\u2068${g.reason}\u2069)`); // of an award
    }
    return Object.values(groups).sort((a, b) => (b.state === "counted") - (a.state === "counted") || b.sum - a.sum);
  },

  /** why lists the parts of the member's own score, read when it is opened. Nobody else can read it. */
  why(page, { rank, score }) {
    if (!this.bearer || !rank) return;
    const { t } = this.say;
    const fault = this.errors.kept;
    const said = (n) => t("amount", { n, unit: this.unit });
    const all = this.partsOf(page, () => true);
    const rest = all.reduce((left, { sum }) => left - sum, score);
    return h("details", { p: "why", ontoggle: (e) => this.update((this.asks = e.target.open)) },
      h("summary", {}, t("why", { n: score })),
      this.asks && !this.answers.kept && fault && h("p", { p: "error" }, t(stateOf(fault))),
      this.answers.kept && h("ul", {}, all.map((g) => h("li", {}, g.state === "counted" ? t("line", { what: g.what, value: said(g.sum) }) : t(g.state, g))), rest > 0 && h("li", {}, t("line", { what: t("earlier"), value: said(rest) })), h("li", { class: "sum" }, t("line", { what: t("sum"), value: said(score) }))));
  },

  /** invite names activities for some points, if the caps of the day let all of it count. */
  invite({ board, period, window }, points) {
    const { rules, today } = this.answers;
    const [{ day, actions: did } = {}] = today?.days ?? [];
    if (!rules || !day || (window === "day" && day !== period)) return;
    const { actions } = versionOf(rules, day);
    for (const action of ["like", "comment", "bookmark"]) {
      const { board: of, points: each, cap = Infinity, minAgeDays } = actions?.[action] ?? {};
      const n = Math.ceil(points / each);
      const done = did[action]?.count ?? 0;
      if (of === board && each > 0 && n <= cap - done && (done || !minAgeDays)) return this.say.t(action, { n });
    }
  },

  /** earned moves the own row to the score of a receipt, without a request. */
  earned({ board, day, scores }) {
    for (const key of ["page", "own"]) {
      const answer = this.answers[key];
      const score = scores?.[answer?.window];
      const mine = answer?.entries?.find((e) => this.mine(e));
      if (!mine || board !== answer.board || !score || !day.startsWith(answer.period.replace(/[WQ].*|all/, ""))) continue;
      const others = answer.entries.filter((e) => e !== mine);
      others.splice(others.filter((e) => e.score >= score).length, 0, { ...mine, score }); // the first to reach it keeps the place
      const first = answer.entries[0].rank || 1;
      const entries = others.map((e, i) => ({ ...e, rank: e.score && first + i }));
      const at = entries.findIndex((e) => this.mine(e));
      const toNext = at ? entries[at - 1].score - score + 1 : first > 1 ? answer.standing?.toNext : null;
      this.answers[key] = { ...answer, entries, standing: answer.standing && { ...answer.standing, score, rank: entries[at].rank, toNext } };
    }
    this.update();
  },

  /** moving returns a function that slides rows from their present places to their later ones. */
  moving(root) {
    const tops = [...root.querySelectorAll("tbody tr")].map((row) => [row, row.offsetTop]);
    return () => matchMedia("(prefers-reduced-motion: reduce)").matches || tops.forEach(([row, top]) => {
      const by = top - row.offsetTop;
      if (by && row.isConnected) row.animate([{ transform: `translateY(${by}px)` }, {}], 300);
    });
  },

  /** announce tells when one's own place has changed, and nothing else. */
  announce(of, to) {
    const [before, from] = this.stood ?? [];
    this.stood = [of, to];
    if (before !== of) this.news = "";
    else if (from && to && to !== from) {
      this.news = this.say.t("now", { place: this.say.place(to) });
      this.tell("rank", { from, to });
    }
  },
};
