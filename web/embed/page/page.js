// The page on which a forum's owner makes snippets: what is chosen is shown, and can be copied.
import { nameOf, snippets, USER } from "./snippets.js";
import { lang, languages, say, words } from "./words.js";

const by = (id) => document.getElementById(id);
const form = by("choices");
const field = form.elements;
const live = by("live");
const { hash, integrity, more, moreIntegrity } = document.body.dataset;
const api = new URL(".", import.meta.url).href.replace(/\/embed\/$/, ""); // which may be under a path
const spoken = { en: "English", zh: "中文", vi: "Tiếng Việt" }; // by the module

const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const text = (map, otherwise) => map?.[lang] ?? map?.en ?? Object.values(map ?? {})[0] ?? otherwise;
const json = async (path) => {
  const answer = await fetch(`${api}/v1/${path}`);
  if (!answer.ok && answer.status !== 404) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
};

let boards = [];
let waiting = ""; // the style of elements before the module is there
const board = () => boards.find((b) => b.board === field.board.value);

// What is chosen is in the address, too, but for the defaults, so that it is there when the page is loaded again.
const kept = ["element", "board", "window", "layout", "limit", "top", "days", "user", "token", "own", "periods", "more", "points", "columns", "bars", "link", "theme", "width"];
const given = new URLSearchParams(location.search);
const isBox = (name) => field[name].type === "checkbox";
const valueOf = (name) => (isBox(name) ? (field[name].checked ? "on" : "") : field[name].value);
const keep = () => {
  const query = new URLSearchParams(given.has("lang") ? { lang } : {});
  for (const name of kept) if (valueOf(name) !== defaults[name]) query.set(name, valueOf(name));
  history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : ""));
  for (const link of by("languages").children) {
    query.set("lang", link.lang);
    link.href = `${location.pathname}?${query}`;
  }
};
const defaults = {};
const begin = () => {
  for (const name of kept) {
    defaults[name] = valueOf(name);
    const value = given.get(name);
    if (value === null) continue;
    if (isBox(name)) field[name].checked = true;
    else field[name].value = value;
    if (field[name].value === value || isBox(name)) continue;
    if (name === "board") field.board.add(new Option(value, value, false, true)); // it is said that there is none
    else field[name].value = defaults[name];
  }
};

const speak = () => {
  document.documentElement.lang = lang;
  document.title = words.title;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  field.lang.append(...Object.entries(spoken).map(([tag, name]) => new Option(name, tag)));
  by("languages").append(...languages.map(([tag, name]) => {
    const link = make("a", { lang: tag, textContent: name });
    if (tag === lang) link.setAttribute("aria-current", "true");
    return link;
  }));
};

/** fill offers the windows of the board that is chosen. */
const fill = () => {
  const windows = board()?.windows ?? [];
  const before = field.window.value;
  field.window.replaceChildren(...windows.map((w) => new Option(say(w), w, false, w === before)));
  by("windows").replaceChildren(...windows.map((w) =>
    make("label", {}, make("input", { type: "checkbox", name: "tab", value: w, checked: true }), say(w))));
};

const ends = (window) => !/^(all|\d+d)$/.test(window); // and has winners then

let adapted;
/** adapt shows the fields of an element, with their limits. */
const adapt = () => {
  const element = field.element.value;
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(element);
  const windows = board()?.windows ?? [];
  field.limit.max = element === "winners" ? 31 : 100;
  field.limit.closest("label").firstElementChild.textContent = say(element === "winners" ? "periods" : "rows");
  for (const option of field.window.options) option.disabled = element === "winners" && !ends(option.value);
  if (element !== adapted && element === "winners" && !given.has("window")) {
    field.window.value = windows.find((w) => w === "month") ?? windows.find(ends) ?? windows[0];
  }
  adapted = element;
};

/** complain says beside a field what is wrong with it, or that nothing is. */
const complain = (input, message) => {
  const at = input.closest("label, .label");
  const id = `wrong-${input.name ?? input.id}`;
  const shown = by(id);
  if (shown?.textContent === (message ?? "")) return;
  shown?.remove();
  for (const name of ["aria-invalid", "aria-describedby"]) input.removeAttribute(name);
  if (!message) return;
  at.after(make("p", { id, className: "wrong", role: "alert", textContent: message }));
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", id);
};

const seen = (input) => !input.closest("[data-for]")?.hidden;
const bytes = (value) => new TextEncoder().encode(value).length;
const isId = (value) => !value || (bytes(value) < 65 && value === value.trim() && !/\p{Cc}|^\.\.?$/u.test(value));
const isAddress = (value) => {
  if (!value) return true;
  if (/\s/.test(value) || !/^(\/|\.|https?:)/.test(value)) return false;
  return URL.canParse(value, location.href);
};

/** check marks all fields that are wrong, and says whether none is. */
const check = () => {
  const found = new Map();
  for (const input of [field.limit, field.top, field.days]) {
    const { min, max, value } = input;
    if (seen(input) && !(/^\d+$/.test(value) && +value >= min && +value <= max)) found.set(input, say("number", { min, max }));
  }
  if (!board()) found.set(field.board, say("noboard", { boards: boards.map((b) => b.board).join(", ") }));
  else if (field.element.value === "race" && !board().windows.includes("month")) found.set(field.board, say("nomonth"));
  if (board()?.question?.teams && /race|friends/.test(field.element.value)) found.set(field.board, say("noteams"));
  if (board() && field.element.value === "winners" && !ends(field.window.value)) found.set(field.window, say("noend"));
  if (seen(by("windows")) && board() && !form.querySelector("[name=tab]:checked")) found.set(by("windows"), say("notab"));
  if (seen(field.user) && !isId(field.user.value)) found.set(field.user, say("badid"));
  if (seen(field.token) && !isAddress(field.token.value)) found.set(field.token, say("badtoken"));
  for (const input of [field.limit, field.top, field.days, field.board, field.window, field.token, by("windows")]) complain(input, found.get(input));
  if (found.has(field.user) || !field.user.value || !seen(field.user)) complain(field.user, found.get(field.user));
  return !found.size;
};

const cached = {};
const read = (path) => (cached[path] ??= json(path).catch(() => delete cached[path] && null));

/** leader returns who leads a board: the preview's visitor; nobody of teams. */
const leader = async (name, window) => (await read(`boards/${encodeURIComponent(name)}/${window}?limit=1`))?.entries?.[0]?.user?.id;

/** isKnown says whether somebody is on a board, or has a profile. */
const isKnown = async (user) => {
  const id = encodeURIComponent(user);
  const places = await Promise.all(board().windows.map((w) => read(`boards/${encodeURIComponent(field.board.value)}/${w}/users/${id}`)));
  return places.some((p) => !p || p.standing?.rank) || (await read(`users/${id}`))?.id !== undefined;
};

/** chosen returns the element's attributes, and the window of what is without a script. */
const chosen = () => {
  const element = field.element.value;
  const [tabs, user, token] = [[...form.querySelectorAll("[name=tab]:checked")].map((b) => b.value), field.user.value, field.token.value];
  const own = (needs, otherwise = USER) => ({ user: user || otherwise, "token-url": token || (needs && "/laurel/token") });
  const limit = field.limit.value;
  const list = {
    board: field.board.value, windows: tabs.join(" "), limit, layout: field.layout.value === "table" ? "" : field.layout.value,
    ...Object.fromEntries(["periods", "more", "points", "columns", "bars", "link"].map((name) => [name, field[name].checked])),
  };
  const one = { board: field.board.value, window: field.window.value };
  const all = {
    board: { ...list, ...own(false, (field.own.checked || token) && USER) },
    friends: { ...list, friends: true, ...own(true) },
    standing: { ...one, ...own() },
    heatmap: { board: one.board, days: field.days.value === "31" ? "" : field.days.value, ...own() },
    history: { board: one.board, ...own(true) },
    hot: { limit, ...((user || token) && own(true)) },
    winners: { ...one, limit, top: field.top.value === "3" ? "" : field.top.value },
    hide: own(true),
    race: {},
  }[element];
  const attributes = Object.fromEntries(Object.entries({ ...all, lang: field.lang.value })
    .filter(([, value]) => value).map(([name, value]) => [name, value === true ? "" : value]));
  const window = { race: "month", standing: one.window, winners: one.window }[element] ?? tabs[0] ?? board().windows[0];
  return { element, attributes, window };
};

/** days are 31 that nobody had. */
const days = (name, n) => ({ days: Array.from({ length: n }, (_, i) => ({
  day: new Date(Date.now() - i * 864e5).toISOString().slice(0, 10), scores: { [name]: (i * 37) % 11 * 3 },
})) });

/** preview returns what is chosen with somebody in the visitor's place, and what there is to say of it. */
const preview = async ({ element, attributes: { "token-url": token, friends, user, ...attributes }, window }) => {
  if (element === "race") {
    const query = new URLSearchParams(Object.entries({ lang: field.lang.value || lang, theme: field.theme.value }));
    const image = make("img", { alt: say("race"), src: `${api}/embed/${encodeURIComponent(field.board.value)}/month/race.svg?${query}` });
    const drawn = await image.decode().then(() => true, () => false);
    return drawn && (await leader(field.board.value, "month")) ? [image] : [null, say("none")];
  }
  const node = make(nameOf(element));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (field.colored.checked) node.style.setProperty("--laurel-accent", field.accent.value);
  if (element === "heatmap") return [Object.assign(node, { data: days(field.board.value, +field.days.value) }), say("exampledays")];
  if (element === "history") return [null, say("examplehistory")];
  if (element === "hide") return [Object.assign(node, { data: { boards: "shown" }, inert: true }), say("examplehide")];
  const as = user === USER ? element !== "hot" && (await leader(field.board.value, window)) : user;
  if (as) node.setAttribute("user", as);
  else if (element === "standing") return [null, say("nobody")];
  return [node, { friends: say("examplefriends") }[element] ?? (user === USER && as && say("exampleuser"))];
};

const showSnippets = (all) => by("snippets").replaceChildren(...all.map(({ name, code, note }) => {
  const title = say(name);
  const button = make("button", { type: "button", textContent: say("button"), onclick: async () => {
    await navigator.clipboard.writeText(code);
    button.textContent = say("copied");
  } });
  button.setAttribute("aria-label", `${say("button")}: ${title}`);
  return make("div", { className: "snippet" }, make("div", {}, make("h3", { textContent: title }), button),
    note ? make("p", { textContent: note }) : "", make("pre", { textContent: code }));
}));

/** roomOf returns the height that an element keeps, without the digits of its computation. */
const roomOf = (node) => `${node.room}`.replace(/\d*\.\d+/g, (n) => `${+(+n).toFixed(2)}`);

let shown = 0;
const show = async () => {
  const turn = ++shown;
  adapt();
  keep();
  if (!check()) {
    live.replaceChildren();
    by("note").hidden = true;
    by("snippets").replaceChildren(make("p", { textContent: say("wrong") }));
    return;
  }
  const choice = chosen();
  const element = make(nameOf(choice.element));
  for (const [name, value] of Object.entries(choice.attributes)) element.setAttribute(name, value);
  showSnippets(snippets({
    ...choice, api, module: { hash, integrity }, more: { hash: more, integrity: moreIntegrity }, room: roomOf(element), waiting,
    accent: field.colored.checked ? field.accent.value : "", board: field.board.value, theme: field.theme.value,
    alt: text(board().labels, board().board),
  }));
  const named = seen(field.user) && field.user.value;
  const [[node, note], known] = await Promise.all([preview(choice), !named || isKnown(named)]);
  if (turn !== shown) return;
  if (named) complain(field.user, known ? null : say("nomember"));
  live.className = field.theme.value;
  live.replaceChildren(node ? make("div", { style: field.width.value && `width: ${field.width.value}px` }, node) : "");
  Object.assign(by("note"), { textContent: note || "", hidden: !note });
};

/** start reads the boards; without them there is nothing to choose. */
const start = async () => {
  try {
    ({ boards } = await json("boards"));
    [waiting] = (await (await fetch(`${api}/embed/room.css`)).text()).match(/^:is\(.*$/m);
  } catch {
    by("trouble").replaceChildren(say("offline"), " ", make("button", { type: "button", textContent: say("again"), onclick: start }));
    return;
  }
  by("trouble").replaceChildren();
  form.querySelector("fieldset").disabled = false;
  field.board.replaceChildren(...boards.map((b) => new Option(text(b.labels, b.board), b.board)));
  fill();
  begin();
  fill();
  form.addEventListener("input", ({ target }) => show(target === field.board && fill()));
  form.addEventListener("change", ({ target }) => target === field.board && fill());
  await show();
};

speak();
form.addEventListener("submit", (event) => event.preventDefault());
await start();
