// <laurel-history>: a member's activities, by period, span and kind, and their points. Nobody else can read it.
import { ask, h, web } from "./core.js";
import { button } from "./features.js";
import { deed, versionOf } from "./rules.js";

const spans = ["day", "week", "month"];
const length = 20; // of the list at first

const add = (day, n) => new Date(Date.parse(day) + n * 864e5).toISOString().slice(0, 10);

/** startOf returns the first day of the span that a day is in, as boards have it: weeks begin on Monday. */
const startOf = (span, day) =>
  ({ day, week: add(day, -((new Date(day).getUTCDay() + 6) % 7)), month: `${day.slice(0, 7)}-01` })[span];

const titles = new Map(); // of articles, by address; null for an address without one

/** titleOf returns a public article, once it is read. */
const titleOf = (element, target) => {
  const url = element.address(`articles/${encodeURIComponent(target)}`);
  if (!titles.has(url)) {
    titles.set(url, null);
    ask(url, null, "GET").then((article) => element.update(titles.set(url, article)), () => {});
  }
  return titles.get(url);
};

export const history = {
  /** period returns the span that is chosen, its first day, and that of the next. */
  period({ days }) {
    const { _span: span = "week", _first } = this;
    const first = _first ?? startOf(span, days[0].day);
    const next = span === "month" ? startOf(span, add(first, 31)) : add(first, span === "day" ? 1 : 7);
    return { span, first, next };
  },

  wants() {
    const activity = [this.address(`${this.me}/activity`), 5 * this.every, true, 62, "days"];
    const wants = { ...this.wantsBoards, page: activity, rules: [this.address("rules"), Infinity] };
    const { page } = this.answers;
    if (!page) return wants;
    wants.articles = [this.address("articles", { sort: "new", limit: 100 }), Infinity];
    const { span, first } = this.period(page);
    // A month is read once, on any way through it.
    const since = add(this._first ? startOf("month", first) : first, -1);
    const often = { day: 5, week: 5, month: 60 }[span] * this.every;
    const entries = this.address(`${this.me}/entries`, { board: this.boardName, since: `${since}T00:00:00Z`, limit: 100 });
    return { ...wants, kept: [entries, this._first ? Infinity : often, true, 5000] };
  },

  /** deeds groups entries of the period by their common fields, with the number of each kind. */
  deeds(page, { first, next }) {
    const { answers: { kept, articles }, further, _kind } = this;
    const known = new Map(articles?.articles.map((a) => [a.id, a]));
    const whole = articles && articles.total <= known.size; // nothing else is an article
    const groups = new Map();
    const kinds = {};
    const asked = new Set();
    for (const { action, target, state, points, value, day: counted, undoneAt, reason } of kept?.entries ?? []) {
      const day = counted ?? (undoneAt && new Date(undoneAt).toLocaleDateString("sv", { timeZone: page.timezone }));
      if (!(day >= first && day < next)) continue;
      kinds[action] = (kinds[action] ?? 0) + (value ?? 1);
      if (_kind && _kind !== action) continue;
      let article = known.get(target);
      if (!article && target && articles && !whole && (asked.has(target) || asked.size < length + further)) {
        asked.add(target);
        article = titleOf(this, target);
      }
      const key = [day, action, state, article?.id, reason].join("\n");
      const group = groups.get(key) ?? { day, action, state, article, reason, n: 0, sum: 0 };
      groups.set(key, group);
      group.n += value ?? 1;
      group.sum += points;
    }
    return { kinds, deeds: [...groups.values()].sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0)) };
  },

  called(action, n, { actions, metrics }) {
    return deed(this, action, n, actions?.[action] ?? metrics?.[action]);
  },

  /** row shows an activity, its target or the reason for an award, and its points. */
  row({ action, state, article, reason, n, sum, day }, rules) {
    const { say: { t }, unit } = this;
    const what = this.called(action, n, rules);
    const { link, title = reason } = article ?? {};
    const text = title && h("bdi", {}, title);
    return h("li", { p: "deed", key: [day, action, state, article?.id, reason].join() },
      h("span", { p: "act" }, state === "counted" ? what : t(state, { what })),
      web(link) ? h("a", { p: "link", href: link }, text) : text,
      state === "counted" && h("span", { p: "score" }, t("amount", { n: sum, unit })));
  },

  show(page) {
    const { say: { t, n, title, date }, answers: { kept, rules: file }, errors, further, unit } = this;
    const now = this.period(page);
    const { span, first, next } = now;
    const { kinds, deeds } = this.deeds(page, now);
    const today = page.days[0].day;
    const rules = file ? versionOf(file, today) : {};
    const chosen = this._kind ?? "";
    const option = (value, text) => h("option", { value, ".selected": value === chosen }, text);
    const turn = (some) => this.update(Object.assign(this, { further: 0, ...some }));
    const walk = (to) => turn({ _first: to > today || to === startOf(span, today) ? null : to });
    const when = title({ window: span, startsAt: first, timezone: "UTC" }, next <= today);
    const shown = deeds.slice(0, length + further);
    const days = [...new Set(shown.map((d) => d.day))];
    return [
      h("div", { p: "header" },
        h("slot", { name: "heading" }, h("h2", { p: "heading" }, t("history"), h("small", {}, when))),
        h("div", { p: "windows", role: "group", "aria-label": t("history") }, spans.map((s) =>
          button(this, s, () => turn({ _span: s, _first: null }), { p: s === span ? "window current" : "window", "aria-pressed": `${s === span && next > today}` })))),
      kept && h("div", { p: "line" },
        h("select", { "aria-label": t("kind"), onchange: (e) => turn({ _kind: e.target.value }) },
          option("", t("every")),
          Object.keys({ ...(chosen && { [chosen]: 0 }), ...kinds }).map((kind) => option(kind, this.called(kind, kinds[kind] ?? 0, rules)))),
        h("span", { p: "total" }, t("amount", { n: deeds.reduce((sum, d) => sum + d.sum, 0), unit }))),
      !kept && errors.kept && h("p", { p: "error" }, t("failed")),
      kept && !deeds[0] && h("p", { p: "empty" }, t("none")),
      days.map((day) => h("section", { p: "day", key: day },
        span !== "day" && h("h3", {}, date(day)),
        h("ul", { p: "list" }, shown.filter((d) => d.day === day).map((d) => this.row(d, rules))))),
      h("div", { p: "footer" },
        button(this, "earlier", () => walk(startOf(span, add(first, -1))), { ".disabled": first <= page.days.at(-1).day }),
        button(this, "later", () => walk(next), { ".disabled": next > today }),
        deeds[shown.length] && button(this, "more", () => this.update((this.further += length)))),
    ];
  },
};
