// Words, numbers and days in the language of an element's place on the page.
import en from "../words.json";
import { load, parts } from "./parts.js";

/** Words by language tag. A page adds its own: messages.de = {day: "Heute", ...}. */
export const messages = { en };

const page = () => JSON.parse(document.getElementById("laurel-words")?.textContent ?? "{}");

/** find returns the value of a map by language tag for a tag, or for its language. */
const find = (map, tag, [language] = tag.split("-")) => map[tag] ?? map[language];

const forms = { month: { year: "numeric", month: "long" }, quarter: { year: "numeric" }, year: { year: "numeric" } };

/** speak returns an element's texts and formats. */
export const speak = (element) => {
  let tag = element.closest("[lang]")?.lang.replace("_", "-") || navigator.language;
  const [language] = tag.split("-");
  const waits = parts[language] && load(language, (words) => { messages[language] = { ...words, ...messages[language] } });
  const own = find({ ...messages, ...page() }, tag);
  if (!own) tag = "en";
  const n = (value, options) => (value?.toFixed ? value.toLocaleString(tag, options) : value);
  const date = (at, timeZone = "UTC", form = { dateStyle: "long" }) => new Date(at).toLocaleString(tag, { timeZone, ...form });
  /** t returns the text of a key, in the plural form of n. */
  const t = (key, values = {}, type = "cardinal") => {
    const form = new Intl.PluralRules(tag, { type }).select(values.n);
    const [text = ""] = [element.messages, own, messages.en].flatMap((words) => words?.[`${key}_${form}`] ?? words?.[key] ?? []);
    return text.replace(/{(\w+)}/g, (_, name) => n({ s: form === "one" ? "" : "s", ...values }[name]));
  };
  return {
    tag, n, t, date, waits,
    place: (rank) => t("place", { n: rank }, "ordinal"),
    /** label returns the text of a board by language, English or any. */
    label: (texts = {}) => find(texts, tag) ?? texts.en ?? Object.values(texts)[0],
    /** title returns the name of a board's period: "Today" while it runs, "Last 7 days", else its date; of a contest its days. */
    title({ window, period, startsAt, timezone }, over) {
      const day = period?.[11] ? period.split("..").map((d) => date(d)).join(" – ") : date(startsAt, timezone, forms[window]);
      return (!over && t(window)) || t(window + "Of", { day, n: period?.[6] }) || day; // 2026-Q4
    },
  };
};
