// The page on which a forum's owner makes snippets: what is chosen is shown, and can be copied.
import { lang, languages, say } from "./words.js";

const form = document.getElementById("choices");
const live = document.getElementById("live");
const { hash, integrity, more, moreIntegrity } = document.body.dataset;
const api = new URL(".", import.meta.url).href.replace(/\/embed\/$/, ""); // which may be under a path
const { boards } = await (await fetch(`${api}/v1/boards`)).json();
const text = (map, otherwise) => map[lang] ?? map.en ?? otherwise;

document.documentElement.lang = lang;
document.title = say.title;
for (const element of document.querySelectorAll("[data-say]")) element.textContent = say[element.dataset.say];
form.setAttribute("aria-label", say.what);
form.user.placeholder = say.id;
document.getElementById("windows").setAttribute("aria-label", say.tabs);
form.lang.append(...languages.map(([tag, name]) => new Option(name, tag)));
document.getElementById("languages").append(...languages.map(([tag, name]) => {
  const link = Object.assign(document.createElement("a"), { href: `?lang=${tag}`, lang: tag, textContent: name });
  if (tag === lang) link.setAttribute("aria-current", "true");
  return link;
}));

form.board.append(...boards.map((b) => new Option(text(b.labels, b.board), b.board)));

const fill = () => {
  const { windows } = boards.find((b) => b.board === form.board.value);
  form.window.replaceChildren(...windows.map((w) => new Option(say[w], w)));
  document.getElementById("windows").replaceChildren(...windows.map((w) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "tab", value: w, checked: true });
    label.append(box, say[w]);
    return label;
  }));
};

const escaped = (value) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** chosen returns the element's name and its attributes. */
const chosen = () => {
  const tabs = [...form.querySelectorAll("[name=tab]:checked")].map((b) => b.value);
  const element = form.element.value;
  const all = {
    board: { board: form.board.value, windows: tabs.join(" "), limit: form.limit.value, layout: form.layout.value, user: form.user.value },
    standing: { board: form.board.value, window: form.window.value, user: form.user.value },
    heatmap: { board: form.board.value, user: form.user.value },
    hot: { limit: form.limit.value },
  }[element];
  if (element === "board") Object.assign(all, form.periods.checked && { periods: "" }, form.more.checked && { more: "" });
  if (all.layout === "table") delete all.layout;
  all.lang = form.lang.value;
  for (const name of Object.keys(all)) if (all[name] === "" && !["periods", "more"].includes(name)) delete all[name];
  return [element, all, tabs[0] ?? boards[0].windows[0]];
};

/** leader returns who leads a board: a member to show where none is chosen. */
const leaders = {};
const leader = (board, window) => (leaders[board + window] ??= fetch(`${api}/v1/boards/${encodeURIComponent(board)}/${window}?limit=1`)
  .then((answer) => answer.json()).then(({ entries }) => entries[0]?.user.id));

/** days are 31 that nobody had. */
const days = (board) => ({ days: Array.from({ length: 31 }, (_, i) => ({
  day: new Date(Date.now() - i * 864e5).toISOString().slice(0, 10), scores: { [board]: (i * 37) % 11 * 3 },
})) });

let shown = 0;
const show = async () => {
  const turn = ++shown;
  const [element, attributes, window] = chosen();
  if (element === "standing") attributes.user ??= await leader(attributes.board, attributes.window);
  if (turn !== shown) return;
  for (const label of form.querySelectorAll("[data-for]")) label.hidden = !label.dataset.for.split(" ").includes(element);
  for (const label of form.querySelectorAll("[data-for]")) label.style.display = label.hidden ? "none" : "";
  const node = document.createElement(`laurel-${element}`);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (form.colored.checked) node.style.setProperty("--laurel-accent", form.accent.value);
  live.className = form.theme.value;
  if (element === "heatmap") node.data = days(attributes.board);
  const note = { heatmap: say.example, standing: !attributes.user && say.nobody }[element];
  live.replaceChildren(...(element === "standing" && !attributes.user ? [] : [node]), note ? Object.assign(document.createElement("p"), { textContent: note }) : "");
  const written = Object.entries(attributes).map(([name, value]) => (value ? ` ${name}="${escaped(value)}"` : ` ${name}`)).join("");
  const style = form.colored.checked ? ` style="--laurel-accent: ${form.accent.value}"` : "";
  const query = new URLSearchParams();
  for (const name of ["limit", "lang", "user"]) if (attributes[name]) query.set(name, attributes[name]);
  const address = (ending, most) => {
    if (most && query.get("limit") > most) query.set("limit", most);
    return `${api}/embed/${encodeURIComponent(form.board.value)}/${window}${ending}${query.size ? `?${query}` : ""}`;
  };
  const title = boards.find((b) => b.board === form.board.value);
  const alt = text(title.labels, title.board);
  const snippets = {
    [say.module]: `<style>laurel-${element}:not(:defined) { display: block; min-height: var(--laurel-room, ${node.room}); animation: laurel 0s 9s forwards } @keyframes laurel { to { min-height: 0 } }</style>\n<script type="module" src="${api}/embed/laurel.js"></script>\n<laurel-${element}${written}${style}>${element === "board" ? `<a href="${escaped(address(".html"))}">${escaped(alt)}</a>` : ""}</laurel-${element}>`,
    [say.strict]: `<script type="module" src="${api}/embed/laurel.${hash}.js" integrity="${integrity}" crossorigin="anonymous"></script>\n<link rel="modulepreload" href="${api}/embed/more.${more}.js" integrity="${moreIntegrity}" crossorigin="anonymous">`,
  };
  if (element === "board") {
    Object.assign(snippets, {
      [say.frame]: `<iframe src="${escaped(address(".html"))}" title="${escaped(alt)}" width="100%" height="480" style="border: 0" loading="lazy"></iframe>`,
      [say.server]: address(""),
      [say.picture]: `<img src="${escaped(address(".svg", 20))}" alt="${escaped(alt)}">`,
      "Markdown": `![${alt}](${address(".svg", 20)})`,
      [say.text]: `${address(".txt")}\n${api}/embed/${encodeURIComponent(form.board.value)}/${window}.atom`,
    });
  }
  if (element === "standing" && form.user.value) {
    snippets[say.picture] = `<img src="${api}/embed/users/${encodeURIComponent(form.user.value)}/${form.board.value}/${form.window.value}.svg" alt="${escaped(alt)}">`;
  }
  const list = document.getElementById("snippets");
  list.replaceChildren(list.firstElementChild, ...Object.entries(snippets).map(([name, code]) => {
    const snippet = Object.assign(document.createElement("div"), { className: "snippet" });
    const bar = document.createElement("div");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: say.button });
    button.setAttribute("aria-label", `${say.button}: ${name}`);
    button.onclick = async () => {
      await navigator.clipboard.writeText(code);
      button.textContent = say.copied;
    };
    bar.append(Object.assign(document.createElement("h3"), { textContent: name }), button);
    snippet.append(bar, Object.assign(document.createElement("pre"), { textContent: code }));
    return snippet;
  }));
};

form.board.addEventListener("change", fill);
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
fill();
show();
