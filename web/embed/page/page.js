// The page on which a forum's owner makes snippets: what is chosen is shown, and can be copied.
const form = document.getElementById("choices");
const live = document.getElementById("live");
const { hash, integrity } = document.body.dataset;
const api = location.origin;
const { boards } = await (await fetch("/v1/boards")).json();
const text = (map, otherwise) => map[navigator.language.split("-")[0]] ?? map.en ?? otherwise;

form.board.append(...boards.map((b) => new Option(text(b.labels, b.board), b.board)));

const fill = () => {
  const { windows } = boards.find((b) => b.board === form.board.value);
  form.window.replaceChildren(...windows.map((w) => new Option(w)));
  document.getElementById("windows").replaceChildren(...windows.map((w) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "tab", value: w, checked: true });
    label.append(box, w);
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
  for (const name in all) if (all[name] === "" && !["periods", "more"].includes(name)) delete all[name];
  return [element, all, tabs[0] ?? boards[0].windows[0]];
};

const show = () => {
  const [element, attributes, window] = chosen();
  for (const label of form.querySelectorAll("[data-for]")) label.hidden = !label.dataset.for.split(" ").includes(element);
  for (const label of form.querySelectorAll("[data-for]")) label.style.display = label.hidden ? "none" : "";
  const node = document.createElement(`laurel-${element}`);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (form.colored.checked) node.style.setProperty("--laurel-accent", form.accent.value);
  live.className = form.theme.value;
  live.replaceChildren(node);
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
    "For a page: the module, always the newest": `<script type="module" src="${api}/embed/laurel.js"></script>\n<laurel-${element}${written}${style}></laurel-${element}>`,
    "For a page with a strict policy: this very module": `<script type="module" src="${api}/embed/laurel.${hash}.js" integrity="${integrity}" crossorigin="anonymous"></script>`,
  };
  if (element === "board") {
    Object.assign(snippets, {
      "Without JavaScript: a frame": `<iframe src="${escaped(address(".html"))}" title="${escaped(alt)}" width="100%" height="480" style="border: 0" loading="lazy"></iframe>`,
      "For a server that puts pages together": address(""),
      "A picture": `<img src="${escaped(address(".svg", 20))}" alt="${escaped(alt)}">`,
      "Markdown": `![${alt}](${address(".svg", 20)})`,
      "Text and feed": `${address(".txt")}\n${api}/embed/${encodeURIComponent(form.board.value)}/${window}.atom`,
    });
  }
  if (element === "standing" && form.user.value) {
    snippets["A picture"] = `<img src="${api}/embed/users/${encodeURIComponent(form.user.value)}/${form.board.value}/${form.window.value}.svg" alt="${escaped(alt)}">`;
  }
  const list = document.getElementById("snippets");
  list.replaceChildren(list.firstElementChild, ...Object.entries(snippets).map(([name, code]) => {
    const snippet = Object.assign(document.createElement("div"), { className: "snippet" });
    const bar = document.createElement("div");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
    button.setAttribute("aria-label", `Copy: ${name}`);
    button.onclick = async () => {
      await navigator.clipboard.writeText(code);
      button.textContent = "Copied";
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
