// What an element says of the member whose page it is: how far the next place is, and why.

/** own are methods of all elements. */
export const own = ({ h }) => ({
  /** wantsOwn are the private reads about a member's place: who is on no public board may be hidden. */
  wantsOwn(page, standing) {
    if (!standing || !this.bearer || this.over(page)) return {};
    const mine = (path, every = this.every) => [this.address(`${this.me}/${path}`), every, true];
    if (!standing.rank) return { self: mine("standings"), visibility: mine("visibility", Infinity) };
    return standing.toNext && { rules: [this.address("rules"), Infinity], today: [`${mine("activity")[0]}?days=1`, 5 * this.every, true] };
  },

  /** chase says how far the next place is and how long there is time, or how it ended. above is who has that place. */
  chase(page, standing, above) {
    const { t, place, time } = this.say;
    const { window, startsAt, endsAt, total } = page;
    const end = Date.parse(endsAt);
    const left = end - this.now;
    if (left <= 0) {
      const recent = -left < end - Date.parse(startsAt);
      return [standing.rank ? t("finished", { place: place(standing.rank), total }) : t("offover"), recent && t(`next${window}`)].filter(Boolean).join(" ");
    }
    const { self, visibility } = standing.rank ? {} : this.answers;
    const own = self?.standings.find((s) => s.board === page.board && s.window === window && s.period === page.period);
    const { rank, toNext } = own?.rank ? own : standing;
    const name = above && `\u2068${above.user.name || (above.user.id ?? t("erased"))}\u2069`;
    const what = toNext && this.invite(page, toNext);
    let said = t(rank ? (toNext ? (name ? "gap" : "gapto") : "lead") : "off", {
      n: what ? 0 : toNext, what: what || t("amount", { n: toNext, unit: this.unit }), name, place: above && place(above.rank),
    });
    if (own?.rank && visibility?.boards === "hidden") said = t("hidden", { place: place(rank) });
    return [said, left > 0 && t("left", { time: time(left) })].filter(Boolean).join(" ");
  },

  /** invite returns what a member may do for some points, if the caps of the day let all of it count. */
  invite({ board, period, window }, points) {
    const { rules, today } = this.answers;
    const [{ day, actions: did } = {}] = today?.days ?? [];
    if (!rules || !day || (window === "day" && day !== period)) return;
    const { actions } = rules.versions.filter((v) => !v.from || v.from <= day).at(-1) ?? {};
    for (const action of ["like", "comment", "bookmark"]) {
      const { board: of, points: each, cap = Infinity, minAgeDays } = actions?.[action] ?? {};
      const n = Math.ceil(points / each);
      const done = did[action]?.count ?? 0;
      if (of === board && each > 0 && n <= cap - done && (done || !minAgeDays)) return this.say.t(action, { n });
    }
  },
});
