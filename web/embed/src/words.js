// Words, numbers and days in the language of an element's place on the page.
import table from "../words.json";

/** Words by language tag. A page adds its own: messages.de = {day: "Heute", ...}. */
export const messages = table;

const page = () => JSON.parse(document.getElementById("laurel-words")?.textContent ?? "{}");

/** find returns what a map by language tag has for a tag, or for its language. */
const find = (map, tag) => map[tag] ?? map[tag.split("-")[0]];

const forms = { month: { year: "numeric", month: "long" }, year: { year: "numeric" } };

/** speak returns what an element says things with. */
export const speak = (element) => {
  let tag = element.closest("[lang]")?.lang.replace("_", "-") || navigator.language;
  const own = find({ ...messages, ...page() }, tag);
  if (!own) tag = "en";
  const n = (value) => (value?.toFixed ? value.toLocaleString(tag) : value);
  const date = (at, timeZone = "UTC", form = { dateStyle: "long" }) => new Date(at).toLocaleString(tag, { timeZone, ...form });
  const word = (key) => element.messages?.[key] ?? own?.[key];
  const t = (key, values = {}) =>
    ((values.n === 1 && word(`${key}1`)) || (word(key) ?? messages.en[key])).replace(/{(\w+)}/g, (_, name) => n(values[name]));
  return {
    tag, n, t, date,
    /** label returns the text of a board by language, English or any. */
    label: (texts = {}) => find(texts, tag) ?? texts.en ?? Object.values(texts)[0],
    /** title returns what a board's period is called: "Today" while it runs, else its date. */
    title({ window, startsAt, endsAt, asOf, timezone }) {
      if (!(Date.parse(asOf) >= Date.parse(endsAt))) return t(window);
      const day = date(startsAt, timezone, forms[window]);
      return window === "week" ? t("weekOf", { day }) : day;
    },
  };
};
