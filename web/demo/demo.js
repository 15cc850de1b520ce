// The demo page: reports activities as the chosen user and shows how the boards change.
// Its buttons are those of the rules in force.

const articles = [
  ["article-1", "Why our forum has a leaderboard"],
  ["article-2", "Ten questions about time zones"],
  ["article-3", "Show us your keyboard"],
];
const refreshEvery = 4000; // ms, while the page is visible

const by = (id) => document.getElementById(id);
const tokens = new Map(); // by user, while the page is open

// make builds an element with attributes and children; text is never HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const user = () => by("user").value.trim();

async function token(who, scope) {
  const key = `${scope} ${who}`;
  if (!tokens.has(key)) {
    const answer = await fetch(`dev/token?${new URLSearchParams({ user: who, scope })}`);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    tokens.set(key, (await answer.text()).trim());
  }
  return tokens.get(key);
}

// problem returns an error with one sentence for a failed answer.
async function problem(answer) {
  const body = await answer.json().catch(() => ({}));
  const violations = (body.errors ?? []).map((e) => `${e.location}: ${e.message}`);
  return new Error([body.detail ?? body.title ?? `HTTP ${answer.status}`, ...violations].join("; "));
}

// report reports one activity: as the user, or with the service's token if users may
// not report it.
async function report(rule, activity) {
  const who = user();
  const service = !rule.by.includes("user");
  const what = [activity.action, activity.target, activity.value].filter((part) => part !== undefined).join(" ");
  try {
    const body = service ? { ...activity, user: who } : activity;
    const answer = await fetch("v1/activities", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${await token(who, service ? "laurel/service" : "")}`,
      },
      body: JSON.stringify({ activities: [body] }),
    });
    if (answer.status === 401 || answer.status === 403) tokens.clear(); // expired, or the server was restarted
    if (!answer.ok) throw await problem(answer);
    const [receipt] = (await answer.json()).receipts;
    const signed = receipt.points > 0 ? `+${receipt.points}` : `${receipt.points}`.replace("-", "−");
    const now = Object.entries(receipt.scores ?? {}).map(([window, score]) => `${window} ${score}`).join(", ");
    tell(`${who}: ${what}`, `${receipt.status.replaceAll("_", " ")}, `, `${signed}`, now && ` (${now})`);
  } catch (error) {
    tell(`${who}: ${what}`, error.message, "", "", true);
  }
  await showBoards();
}

function tell(what, status, points, scores, bad = false) {
  by("receipts").prepend(make("li", {},
    make("span", { class: "what" }, what),
    make("span", { class: bad ? "came bad" : "came" }, status, make("span", { class: points.startsWith("+") ? "plus" : "" }, points), scores)));
  while (by("receipts").children.length > 20) by("receipts").lastChild.remove();
}

// inForce returns the last version of the rules that has taken effect by a day.
function inForce(rules, day) {
  return rules.versions.filter((v) => !v.from || v.from <= day).at(-1);
}

function showActions(version) {
  const actions = Object.entries(version.actions ?? {});
  const words = actions.flatMap(([action, rule]) => rule.target === "user" ? [] : [[action, rule], ...(rule.undo ? [[rule.undo, rule]] : [])]);
  by("article").replaceChildren(...articles.map(([id, title]) => make("option", { value: id }, title)));
  by("actions").replaceChildren(...words.map(([word, rule]) => make("button", {
    type: "button",
    class: word === rule.undo ? "undo" : "",
    onclick: () => report(rule, { action: word, target: by("article").value }),
  }, word)));

  const forms = actions.filter(([, rule]) => rule.target === "user").map(([action, rule]) =>
    form(`${action} a user`, { list: "people", placeholder: "user", maxlength: "64", required: "" }, [action, rule.undo].filter(Boolean),
      (word, value) => report(rule, { action: word, target: value })));
  const metrics = Object.entries(version.metrics ?? {}).map(([metric, rule]) =>
    form(metric, { type: "number", min: rule.min ?? 0, max: rule.max, placeholder: metric, required: "" }, [metric],
      (word, value) => report(rule, { action: word, value: Number(value) })));
  by("others").replaceChildren(...forms, ...metrics);
}

function form(label, attributes, words, send) {
  const input = make("input", { "aria-label": label, ...attributes });
  return make("form", { onsubmit: (event) => { event.preventDefault(); send(event.submitter.value, input.value.trim()); } },
    input, ...words.map((word, i) => make("button", { value: word, class: i ? "undo" : "" }, word)));
}

// showBoards reads the chosen board in its first two windows that a forum looks
// at: the day and the month, if it keeps them.
async function showBoards() {
  const name = by("board").value;
  const kept = boards[name].windows;
  const windows = ["day", "month"].every((w) => kept.includes(w)) ? ["day", "month"] : kept.slice(0, 2);
  try {
    const answers = await Promise.all(windows.map(async (window) => {
      const query = new URLSearchParams({ limit: "15", ...(user() ? { user: user() } : {}) });
      const answer = await fetch(`v1/boards/${name}/${window}?${query}`, { cache: "no-cache" });
      if (!answer.ok) throw await problem(answer);
      return answer.json();
    }));
    if (name === by("board").value) {
      draw(answers);
      by("status").textContent = `${answers[0].timezone}, as of ${answers[0].asOf.replace("T", " ").replace(/\.\d+/, "")}`;
      by("status").className = "";
    }
    return answers;
  } catch (error) {
    by("status").textContent = error.message;
    by("status").className = "bad";
    return [];
  }
}

// draw shows boards, and lets rows that were there before move to their place.
function draw(answers) {
  const before = new Map([...document.querySelectorAll("tr[data-row]")].map((row) => [row.dataset.row, row.getBoundingClientRect().top]));
  const scrolled = window.scrollY;
  by("boards").replaceChildren(...answers.map(table));
  window.scrollTo({ top: scrolled, behavior: "instant" });
  for (const row of document.querySelectorAll("tr[data-row]")) {
    const up = before.get(row.dataset.row) - row.getBoundingClientRect().top;
    if (!up) continue; // neither there before, NaN, nor moved
    row.style.transform = `translateY(${up}px)`;
    requestAnimationFrame(() => { row.classList.add("moving"); row.style.transform = ""; });
  }
  const people = new Set(answers.flatMap((a) => a.entries.map((e) => e.user.id)));
  by("people").replaceChildren(...[...people].map((id) => make("option", { value: id })));
}

function table(answer) {
  const rows = answer.entries.map((entry) => make("tr",
    { "data-row": `${answer.board} ${answer.window} ${entry.user.id}`, class: entry.user.id === user() ? "mine" : "" },
    make("td", {}, `${entry.rank}`), make("td", { class: "name" }, entry.user.name ?? entry.user.id), make("td", {}, entry.score.toLocaleString())));
  if (rows.length === 0) rows.push(make("tr", {}, make("td", { colspan: "3", class: "nobody" }, "Nobody yet")));
  return make("div", {},
    make("table", {},
      make("caption", {}, `${title(answer.window)} `, make("span", {}, `${answer.period}, ${answer.total} in all`)),
      make("thead", {}, make("tr", {}, ...["Rank", "User", "Points"].map((t) => make("th", { scope: "col" }, t)))),
      make("tbody", {}, ...rows)),
    make("p", { class: "standing" }, standing(answer.standing)));
}

const title = (window) => ({ day: "Today", week: "This week", month: "This month", year: "This year", all: "All time" })[window] ?? window;

function standing(s) {
  if (!s) return "";
  const name = s.user.name ?? s.user.id;
  if (s.rank === null) return `${name} is not on it yet`;
  const next = s.toNext === null ? "in the lead" : `${s.toNext} to the next place`;
  return `${name}: place ${s.rank} of ${s.total}, ${next}`;
}

const rules = await (await fetch("v1/rules")).json();
const boards = rules.boards;
by("board").append(...Object.keys(boards).map((name) => make("option", {}, name)));
const [first] = await showBoards();
showActions(inForce(rules, first?.asOf.slice(0, 10) ?? "9999"));
by("board").addEventListener("change", showBoards);
by("user").addEventListener("change", showBoards);
setInterval(() => { if (!document.hidden) showBoards(); }, refreshEvery);
