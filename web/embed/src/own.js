// What an element says of the member whose page it is: how far the next place is, and why.
import { h } from "./core.js";
import { versionOf } from "./rules.js";

/** own are methods of all elements. */
export const own = {
  /** wantsOwn are the private reads about a member's place: who is on no public board may be hidden. */
  wantsOwn(page, standing) {
    if (!standing || !this.bearer || this.over(page)) return {};
    const mine = (path, every = this.every) => [this.address(`${this.me}/${path}`), every, true];
    if (this.asks) {
      const since = new Date(page.startsAt).toISOString();
      return { kept: [`${this.address(`${this.me}/entries`, { board: page.board, since, limit: 100 })}#5000`, 5 * this.every, true] };
    }
    if (!standing.rank) return { self: mine("standings"), visibility: mine("visibility", Infinity) };
    return standing.toNext && { rules: [this.address("rules"), Infinity], today: [`${mine("activity")[0]}?days=1`, 5 * this.every, true] };
  },

  /** chase says how far the next place is and how long there is time, or how it ended. above is who has that place. */
  chase(page, standing, above) {
    const { t, place, time } = this.say;
    const { window, total } = page;
    const end = Date.parse(page.endsAt);
    const left = end - this.now;
    const over = left <= 0;
    const { self, visibility } = over || standing.rank ? {} : this.answers;
    const own = self?.standings.find((s) => s.board === page.board && s.window === window && s.period === page.period && s.rank);
    const { rank, toNext } = own ?? standing;
    const name = above && `\u2068${above.user.name || (above.user.id ?? t("erased"))}\u2069`;
    const what = toNext && !over && this.invite(page, toNext);
    const key = over ? (rank ? "finished" : "offover") : own && visibility?.boards === "hidden" ? "hidden" : rank ? (toNext ? (name ? "gap" : "gapto") : "lead") : "off";
    const said = t(key, {
      n: what ? 0 : toNext, what: what || t("amount", { n: toNext, unit: this.unit }), name, total,
      place: key[0] === "g" ? above && place(above.rank) : rank && place(rank),
    });
    const more = left > 0 ? t("left", { time: time(left) }) : -left < end - Date.parse(page.startsAt) && t(`next${window}`);
    return more ? `${said} ${more}` : said;
  },

  /** wreath tells how often somebody was the first: its number, and what that means when it is opened. */
  wreath(firsts) {
    const label = this.say.t("firsts", { n: firsts });
    return h("details", { p: "wreath" },
      h("summary", { "aria-label": label }, h("svg", { viewBox: "0 0 16 16", "aria-hidden": true }, h("path", { d: "M6.5 14Q-1 10 3 2M9.5 14Q17 10 13 2" })), this.say.n(firsts)), label);
  },

  /** why is what the member's own score is made of, read when it is opened. Nobody else can read it. */
  why({ startsAt, endsAt, board }, { rank, score }) {
    if (!this.bearer || !rank) return;
    const { t } = this.say;
    const said = (n, unit = this.unit) => t("amount", { n, unit });
    const groups = {};
    let rest = score;
    for (const { action, state, points, value, day } of this.answers.kept?.entries ?? []) {
      if (day < startsAt.slice(0, 10) || day >= endsAt?.slice(0, 10)) continue;
      const of = (groups[state + action] ??= { action, state, n: 0, sum: 0 });
      of.n += value ?? 1;
      of.sum += points;
      rest -= points;
    }
    const sentence = ({ action, state, n, sum }) => {
      const what = t(action, { n }) || said(n, action);
      return state === "counted" ? `${what}: ${said(sum)}` : t(state, { what });
    };
    return h("details", { p: "why", ontoggle: (e) => this.update((this.asks = e.target.open)) },
      h("summary", {}, t("why", { n: score })),
      this.answers.kept && h("ul", {}, Object.values(groups).map((g) => h("li", {}, sentence(g))), rest > 0 && h("li", {}, t("earlier"), ": ", said(rest))));
  },

  /** won is who won the period before that of a page. */
  won({ window, startsAt }) {
    const [before] = this.answers.winners?.periods ?? [];
    return Date.parse(before?.endsAt) === Date.parse(startsAt) && h("div", { p: "winners" }, this.firsts(before, window, "p"));
  },

  /** firsts are the first of a period, below its name. */
  firsts({ period, endsAt, entries }, window, tag) {
    const { t, n, title } = this.say;
    const week = window === "week" && new Date(Date.parse(endsAt) - 561600e3); // noon of its first day
    return [
      h(tag, {}, t("won", { period: title({ window, startsAt: week || period }, true) })),
      h("ol", { p: "list" }, entries.map((e) => h("li", { p: "winner" }, h("b", {}, this.say.place(e.rank)), this.person(e, true), h("span", { p: "score" }, n(e.score)))))];
  },

  /** invite returns what a member may do for some points, if the caps of the day let all of it count. */
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
      const mine = answer?.entries.find((e) => this.mine(e));
      if (!mine || board !== answer.board || !score || !day.startsWith(answer.period.replace(/W.*|all/, ""))) continue;
      const others = answer.entries.filter((e) => e !== mine);
      others.splice(others.filter((e) => e.score >= score).length, 0, { ...mine, score }); // the first to reach it keeps the place
      const first = answer.entries[0].rank || 1;
      this.answers[key] = { ...answer, entries: others.map((e, i) => ({ ...e, rank: e.score && first + i })) };
    }
    this.reads.today?.load();
    this.update();
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
