// Boards of teams: a team has the form of a user, with the number of its members, and the visitor's own team is marked.
import { h } from "./core.js";
import { partsOf } from "./features.js";

/** named gives each team of an answer the form of a user. The bundle leaves quoted names alone. */
export const named = (answer) => {
  for (const e of [answer?.entries, answer?.periods?.map((p) => p.entries)].flat(2)) if (e?.team) e.user ??= { ...e.team, name: e.team["label"] };
};

/** ofTeams lets elements show boards of teams. */
export const ofTeams = (prototype) => {
  const base = Object.getPrototypeOf(prototype); // whose methods may come later
  Object.assign(prototype, {
    changed(read) {
      named(read.answer);
      base.changed.call(this, read);
    },

    mine(entry) {
      const { page, own } = this.answers;
      return entry.user?.members >= 0 ? entry.user.id === (page?.standing ?? own?.standing)?.team?.id : base.mine.call(this, entry);
    },

    person(entry, ...given) {
      const person = base.person.call(this, entry, ...given);
      if (entry.team) person.c.push(h("small", {}, this.say.t("members", { n: entry.team.members })));
      return person;
    },

    place(page) {
      const place = base.place?.call(this, page);
      return page.of && place ? [page.standing ?? this.answers.own?.standing, place[1]] : place;
    },

    chase(page, standing, above) {
      const { t, place } = this.say;
      const { team, rank, own, score } = standing;
      const said = base.chase.call(this, page, standing, above);
      if (!page.of) return said;
      return team ? `${rank && !this.over(page) ? `${t("ours", { place: place(rank) })} ` : ""}${said}${rank ? ` ${t("gave", { n: own, total: score })}` : ""}`.replaceAll("。 ", "。") : t("noteam");
    },

    why(page, standing) {
      return base.why.call(this, page, page.of ? { rank: standing.own, score: standing.own } : standing);
    },

    announce(of, rank) {
      base.announce?.call(this, of, rank);
      if (this.news && this.answers.page?.of) this.news = this.say.t("ours", { place: this.say.place(rank) });
    },

    earned(receipt) {
      if (!this.answers.page?.of) base.earned.call(this, receipt);
    },
  });
};

export const teams = {
  wants(board, all, page) {
    if (page?.of && board.viewer) all.own = [board.address(`${board.path(board.current)}/${board.me}`, { around: 1, with: "movement", period: board.attr("period") && page.period })];
  },

  show(board, tree, page) {
    const [name] = partsOf(tree, "name");
    if (page.of && name?.t === "th") name.c = [board.say.t("team")];
  },
};
