// A forum's front page with Laurel's elements in it, and a console that reports what its rules
// take. With laurel dev --demo there are people, faces and articles.
import { report } from "../embed/laurel.js";
import { words } from "./words.js";

const by = (id) => document.getElementById(id);
const json = async (address) => (await fetch(address)).json();

// make builds an element with attributes and children; text is never HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// What the address asks for, else the browser.
const query = new URLSearchParams(location.search);
const lang = [query.get("lang"), ...navigator.languages.map((l) => l.split("-")[0]), "en"].find((l) => words[l]);
const say = words[lang];
document.documentElement.lang = lang;
for (const element of document.querySelectorAll("[data-say]")) element.textContent = say[element.dataset.say];
by("boards").setAttribute("aria-label", say.boards);
document.title = `${say.forum} · Laurel`;
by("page").hidden = false; // it is empty without this script

const { people } = await json("demo/forum.json");
const named = (id) => people.find((p) => p.id === id);
const face = (id) => named(id) ? `demo/faces/${encodeURIComponent(id)}.svg` : "embed/icon.svg";

// user is the member whose page this is.
const user = query.get("user") || (people.length ? say.member : "ann");
const visit = (changes) => `?${new URLSearchParams({ ...Object.fromEntries(query), ...changes })}`;

function showMember() {
  by("languages").append(...Object.entries(words).map(([l, w]) =>
    make("a", { href: `?lang=${l}`, lang: l, "aria-current": l === lang && "true" }, w.language)));
  by("me").textContent = named(user)?.name ?? user;
  by("face").src = face(user);
  by("face").hidden = !named(user);
  by("user").value = user;
  by("user").addEventListener("change", () => { if (by("user").value.trim()) location.search = visit({ user: by("user").value.trim() }); });
  by("people").append(...people.map((p) => make("option", { value: p.id }, p.name)));
}

const tokenUrl = (who, scope = "") => `dev/token?${new URLSearchParams({ user: who, ...(scope && { scope }) })}`;

// The elements, as a forum would have them in its page.
function showBoards(boards) {
  const has = (board, window) => boards.find((b) => b.board === board)?.windows.includes(window);
  const mine = { user, "token-url": tokenUrl(user), refresh: "10" };
  const first = boards.some((b) => b.board === "activity") ? "activity" : boards[0].board;
  const box = (...children) => make("section", { class: "box" }, ...children);
  by("boards").append(
    box(make("laurel-standing", { board: first, window: boards.find((b) => b.board === first).windows[0], ...mine }),
      make("laurel-board", { board: first, ...mine, periods: "", more: "" })),
    box(make("h2", {}, say.hot), make("laurel-hot", { limit: "5", ...mine, ...(people.length && { group: lang }) })),
    box(make("h2", {}, say.me), make("laurel-heatmap", { board: first, ...mine, days: "62" }), make("laurel-hide", mine)),
    ...boards.filter((b) => b.question.teams).slice(0, 1).map(({ board }) => box(make("laurel-board", { board, ...mine }))),
    ...(people.length ? [box(make("laurel-board", { board: first, ...mine, windows: "month", friends: "", limit: "5", label: say.friends }))] : []),
    ...(has(first, "month") ? [box(make("laurel-winners", { board: first, limit: "3", lang }))] : []),
    ...(has("steps", "day") ? [box(make("laurel-board", { board: "steps", ...mine, windows: "day", layout: "podium", limit: "3" }))] : []));
}

// The race of the month that ended last, as a forum would have it in a post.
function showRace({ periods: [month] = [] }) {
  if (!month) return;
  const [image] = by("race").children;
  image.src = `embed/activity/month/race.svg?${new URLSearchParams({ period: month.period, lang })}`;
  image.alt = `${say.race}: ${month.entries.map((e) => `${e.rank}. ${e.user.name ?? e.user.id}`).join(", ")}`;
  by("race").hidden = false;
}

// What the member has done already, as "like 7".
async function done() {
  const token = (await (await fetch(tokenUrl(user))).text()).trim();
  const { entries = [] } = await (await fetch(`v1/users/${encodeURIComponent(user)}/entries?limit=100`, { headers: { Authorization: `Bearer ${token}` } })).json();
  return new Set(entries.filter((e) => e.state !== "undone").map((e) => `${e.action} ${e.target}`));
}

// Articles, with what members do with them, and take back: reported by the module.
function showArticles(articles, did) {
  const button = (action, id) => {
    const undo = action !== "comment" && actions[action].undo; // a reply is taken back by who knows its ref
    return make("button", {
      type: "button", "aria-pressed": undo && `${did.has(`${action} ${id}`)}`, onclick: ({ currentTarget: b }) => {
        const back = undo && b.getAttribute("aria-pressed") === "true";
        if (undo) b.setAttribute("aria-pressed", `${!back}`);
        report({ action: back ? undo : action, target: id, ...(action === "comment" && { ref: `r${Date.now()}` }) }, { tokenUrl: tokenUrl(user) });
      },
    }, say[action]);
  };
  by("articles").replaceChildren(...articles.map(({ id, title, author, groups }) => make("article", { id, lang: groups?.[0] ?? lang },
    author ? make("img", { src: face(author.id), alt: "", width: "40", height: "40" }) : "",
    make("div", {}, make("h2", {}, title), make("p", {}, author ? say.by.replace("{name}", author.name ?? author.id ?? "") : "")),
    make("div", { class: "buttons", lang }, ...["like", "comment", "bookmark"].filter((a) => actions[a]).map((a) => button(a, id))))));
  by("article").append(...articles.map(({ id, title }) => make("option", { value: id }, title)));
}

// send reports one activity at once: as the user, or with the service's token if users may not
// report it.
async function send(rule, activity) {
  const service = !rule.by.includes("user");
  const body = service ? { ...activity, user } : activity;
  try {
    const token = (await (await fetch(tokenUrl(user, service ? "laurel/service" : ""))).text()).trim();
    const answer = await fetch("v1/activities", {
      method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify({ activities: [body] }),
    });
    const detail = await answer.json();
    if (answer.ok) document.dispatchEvent(new CustomEvent("laurel-receipts", { detail: { activities: [body], ...detail } }));
    else tell(body, [detail.detail ?? detail.title ?? detail.message, ...(detail.errors ?? []).map((e) => `${e.location}: ${e.message}`)].join("; "));
  } catch {
    tell(body, say.offline);
  }
}

function tell({ action, target, value }, came, points = 0, bad = true) {
  by("receipts").prepend(make("li", {}, make("span", { class: "what" }, [action, target, value].filter(Boolean).join(" ")), " ",
    make("span", { class: bad ? "bad" : "" }, came), " ", points ? make("b", {}, points > 0 ? `+${points}` : `${points}`.replace("-", "−")) : ""));
  while (by("receipts").children.length > 20) by("receipts").lastChild.remove();
}

document.addEventListener("laurel-receipts", ({ detail: { activities, receipts } }) => {
  receipts.forEach((r, i) => tell(activities[i], r.status.replaceAll("_", " "), r.points, false));
  for (const element of by("boards").querySelectorAll("*")) element.reload?.();
});
document.addEventListener("laurel-error", ({ detail }) => { if (detail.activities) tell(detail.activities[0], detail.problem?.title ?? say.offline); });

// The console's buttons are those of the rules in force.
function showActions(version) {
  const entries = Object.entries(version.actions ?? {});
  const both = ([action, rule]) => [action, rule.undo].filter(Boolean);
  by("actions").append(...entries.filter(([, rule]) => rule.target !== "user").flatMap((e) => both(e).map((word) => make("button", {
    type: "button", class: word === e[1].undo ? "undo" : "", onclick: () => send(e[1], { action: word, target: by("article").value }),
  }, word))));
  const form = (label, attributes, all, report) => {
    const input = make("input", { "aria-label": label, placeholder: label, required: "", ...attributes });
    return make("form", { onsubmit: (event) => { event.preventDefault(); report(event.submitter.value, input.value.trim()); } },
      input, ...all.map((word, i) => make("button", { value: word, class: i ? "undo" : "" }, word)));
  };
  by("others").append(
    ...entries.filter(([, rule]) => rule.target === "user").map((e) =>
      form(`${e[0]} …`, { list: "people", maxlength: "64" }, both(e), (action, target) => send(e[1], { action, target }))),
    ...Object.entries(version.metrics ?? {}).map(([metric, rule]) =>
      form(`${metric} …`, { type: "number", min: rule.min ?? 0, max: rule.max }, [metric], (action, value) => send(rule, { action, value: Number(value) }))));
}

// What the server has told this forum of: laurel dev --demo sends its events to itself.
async function showEvents() {
  const events = await json("dev/events").catch(() => []);
  by("told").hidden = !events.length;
  by("events").replaceChildren(...events.map(({ event: { type, data } }) => make("li", {},
    make("span", { class: "what" }, `${type} ${data.board} ${data.period}`), " ",
    data.entries.slice(0, 3).map(({ rank, user: u }) => `${rank}. ${u.name ?? u.id ?? "–"}`).join(", "))));
  setTimeout(showEvents, 5000);
}

const [{ boards }, rules, { articles }, won] = await Promise.all([json("v1/boards"), json("v1/rules"), json("v1/articles?sort=new&limit=6"),
  json("v1/boards/activity/month/winners?limit=1").catch(() => ({}))]);
const today = new Date().toISOString().slice(0, 10);
const { actions = {}, metrics } = rules.versions.filter((v) => !v.from || v.from <= today).at(-1) ?? rules.versions[0];
showMember();
showBoards(boards);
showRace(won);
showArticles(articles.length ? articles : ["Why our forum has a leaderboard", "Ten questions about time zones", "Show us your keyboard"]
  .map((title, i) => ({ id: `article-${i + 1}`, title })), await done());
showActions({ actions, metrics });
if (people.length) showEvents();
if (!people.length) {
  by("hint").append(say.empty, " ", make("code", {}, "laurel dev --demo"));
  by("hint").hidden = !!articles.length;
}
