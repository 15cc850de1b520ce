// The code that an owner copies: whole wherever it is pasted, and with a member's id only where one was chosen.
import { sha256 } from "./sha256.js";
import { say } from "./words.js";

/** USER stands in code for the id that the forum writes. */
export const USER = "USER_ID";

const escaped = (value) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const tag = (name, attributes) =>
  `<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}${value === "" ? "" : `="${escaped(value)}"`}`).join("")}>`;

const comment = (text) => `<!-- ${text} -->`;

/** comments are sentences for the owner: whom the code shows, and where tokens come from. */
const comments = (user, token) =>
  [user && say(user === USER ? "visitor" : "everyone"), token && say("tokens")].filter(Boolean).map(comment);

/** nameOf returns the tag of an element that can be chosen. */
export const nameOf = (element) => `laurel-${element === "friends" ? "board" : element}`;

/** elements returns the code of an element: for any page, and for one whose policy allows nothing inline. */
const elements = ({ api, module, element, attributes, accent, room, more, waiting, alt, path }) => {
  const name = nameOf(element);
  const said = comments(attributes.user, attributes["token-url"]);
  const reserved = waiting.replace(/:is\([^)]*\)/, name).replace(/var\(--laurel-room, [^)]*\)/, room);
  // What a page shows where the module cannot be loaded.
  const plain = { board: ".html", friends: ".html", standing: ".html", winners: "/winners.html" }[element];
  const end = `${plain ? `${tag("a", { href: path + plain })}${escaped(alt)}</a>` : ""}</${name}>`;
  const colored = accent && `--laurel-accent: ${accent}`;
  const script = { type: "module", src: `${api}/embed/laurel.js` };
  const style = reserved + (colored && ` ${name} { ${colored} }`);
  const { origin } = new URL(api);
  const policy = `script-src ${origin}; connect-src 'self' ${origin}; img-src *; style-src 'sha256-${sha256(style)}'`;
  const fixed = (file, hash) => `${api}/embed/${file}.${hash}.js`;
  const whole = { crossorigin: "anonymous" };
  return [
    ["module", [...said, `<style>${reserved}</style>`, `${tag("script", script)}</script>`,
      `${tag(name, { ...attributes, ...(colored && { style: colored }) })}${end}`]],
    ["strict", [comment(`${say("policy")} ${policy}`), ...said, `<style>${style}</style>`,
      `${tag("script", { ...script, src: fixed("laurel", module.hash), integrity: module.integrity, ...whole })}</script>`,
      tag("link", { rel: "modulepreload", href: fixed("more", more.hash), integrity: more.integrity, ...whole }),
      `${tag(name, attributes)}${end}`]],
  ];
};

// How high a frame is in px: a row, and what is around rows; for a member also the neighbours and two lines; of winners
// a period's name and a place.
const [row, around, own, period, place] = [41, 90, 210, 36, 28];

/** heightOf returns the height at which nothing of a frame is cut. */
const heightOf = (element, { limit, top = 3, user }) =>
  around + (element === "winners" ? limit * (period + top * place) : limit * row + (user ? own : 0));

/** forms returns the forms of a board without a script. */
const forms = ({ api, path, element, board, window, attributes, alt, theme }) => {
  const { user, lang } = attributes;
  const address = (base, ending, { limit, most = 100, ...query } = {}) => {
    const all = { limit: limit && `${Math.min(limit, most)}`, ...query, lang, theme: theme !== "auto" && !/^$|txt$/.test(ending) && theme };
    const text = new URLSearchParams(Object.entries(all).filter(([, value]) => value));
    return `${base}${ending}${text.size ? `?${text}` : ""}`;
  };
  const said = comments(user);
  const picture = (src) => [...said, tag("img", { src, alt })];
  const markdown = (src) => [...said, `![${alt.replace(/[[\]\\]/g, "\\$&")}](${src})`];
  const frame = (src) => [...said, `${tag("iframe", {
    src, title: alt, width: "100%", height: `${heightOf(element, attributes)}`,
    style: "border: 0", loading: "lazy",
  })}</iframe>`];
  const { limit, top } = attributes;
  switch (element) {
    case "board": {
      const query = { limit, user };
      const svg = address(path, ".svg", { ...query, most: 20 });
      return [
        ["frame", frame(address(path, ".html", query))],
        ["server", [address(path, "", query)], said],
        ["picture", picture(svg)], ["Markdown", markdown(svg)],
        ["text", [address(path, ".txt", query), `${path}.atom`], said],
      ];
    }
    case "standing": {
      const badge = address(`${api}/embed/users/${encodeURIComponent(user)}/${encodeURIComponent(board)}/${window}`, ".svg");
      return [["picture", picture(badge)], ["Markdown", markdown(badge)]];
    }
    case "winners": {
      const svg = address(path, "/winners.svg", { limit, top, most: 12 });
      return [
        ["frame", frame(address(path, "/winners.html", { limit, top }))],
        ["picture", picture(svg)], ["Markdown", markdown(svg)],
        ["text", [address(path, "/winners.txt", { limit, top }), `${path}.atom`]],
      ];
    }
    case "race": {
      const svg = address(path, "/race.svg");
      return [["picture", picture(svg)], ["Markdown", markdown(svg)]];
    }
    default:
      return [];
  }
};

/** snippets returns what can be copied: the key of its name, its code, and what is said beside code without comments. */
export const snippets = (choice) => {
  const path = `${choice.api}/embed/${encodeURIComponent(choice.board)}/${choice.window}`;
  const all = [...(choice.element === "race" ? [] : elements({ ...choice, path })), ...forms({ ...choice, path })];
  return all.map(([name, lines, note]) => ({ name, code: lines.join("\n"), note: note?.join(" ").replace(/<!-- | -->/g, "") }));
};
