// <laurel-hot>: articles, the hottest first.
import { h, web } from "./core.js";

/** age returns how long ago something was: a young article may be hotter than one with more votes. */
const age = (ms, tag) => {
  const [unit, one] = ms >= 864e5 ? ["day", 864e5] : ms >= 36e5 ? ["hour", 36e5] : ["minute", 6e4];
  return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(-Math.max(0, Math.floor(ms / one)), unit);
};

export const hot = {
  wants() {
    const wants = { page: [this.address("articles", { sort: this.attr("sort"), group: this.attr("group"), limit: this.number("limit", 10, 1, 100) }), this.slowly()] };
    const ids = this.answers.page?.articles.map((a) => `article=${encodeURIComponent(a.id)}`).sort().join("&");
    if (this.bearer && this.viewer && ids) wants.votes = [`${this.address(`${this.me}/votes`)}?${ids}`, 5 * this.every, true];
    return wants;
  },

  show({ articles }) {
    const { t, tag } = this.say;
    const voted = this.answers.votes?.votes ?? [];
    if (!articles[0]) return h("p", { p: "empty" }, t("none"));
    return h("ol", { p: "list" }, articles.map(({ id, link, title, author, votes, publishedAt }) => {
      const own = voted.includes(id);
      const text = h("bdi", {}, title);
      return h("li", { p: "article", key: id },
        web(link) ? h("a", { p: "link", href: link }, text) : text,
        h("span", { p: `votes${own ? " voted" : ""}`, title: own && t("you") }, "▲ ", t("votes", { n: votes })),
        h("small", {}, h("bdi", {}, author.name || (author.id ?? t("erased"))), publishedAt && [" · ", h("time", { datetime: publishedAt }, age(Date.now() - Date.parse(publishedAt), tag))]));
    }));
  },
};
