// The base of all elements: a shadow root, attributes, words, and reads while they are seen.
import board from "../board.css";
import style from "../elements.css";
import { firsts } from "./firsts.js";
import { elements, load, updateAll } from "./parts.js";
import { ask, pace, passing, readOf, retry } from "./reads.js";
import { h, patch } from "./tree.js";
import { messages, speak } from "./words.js";

const home = new URL("../", import.meta.url);
const sheet = new CSSStyleSheet();
let looks = board + style;
sheet.replaceSync(looks);
// An element that comes into view soon is read, so that it is there then.
const inView = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) target.see(isIntersecting);
}, { rootMargin: "50%" });
document.addEventListener("visibilitychange", updateAll);
addEventListener("online", () => reloadAll());

/** need loads a part that a board alone can do without. */
export const need = (part = "more") => load(part, (more) => more(core));

/** reloadAll reads again all visible elements, except one. */
export const reloadAll = (but) => {
  for (const read of new Set([...elements].flatMap((e) => (e === but ? [] : Object.values(e.reads))))) read.load();
};

/** base is the address of an API that an element, or nobody, names. */
export const base = (src) => new URL(src ? src.replace(/\/?$/, "/") : home, document.baseURI);

/** web says whether an address may be one of a link or a picture. */
export const web = (url) => /^https?:/i.test(url);

const broken = new Set(); // pictures
const guest = { status: 401 }; // why there is nothing about a member where the page knows none

/** hue is the color of a name's initial: far from that of a name beside it. */
const hue = (name) => ([...name].reduce((hash, c) => (hash * 31 + c.codePointAt()) % 360, 0) * 137) % 360;

/** arrows go from one control of a toolbar to the next, at which Tab stops once, and up and down from name to name. */
const arrows = (event) => {
  const { target, key } = event;
  const links = [...target.getRootNode().querySelectorAll("a.text")];
  if (target.matches("a")) links[links.indexOf(target) + { ArrowUp: -1, ArrowDown: 1 }[key]]?.focus(event.preventDefault());
  const way = { ArrowLeft: "previous", ArrowRight: "next" }[key];
  let to = target.closest("details") ?? target;
  if (way) do to = to[`${way}ElementSibling`]; while (to?.disabled);
  if (way) (to?.firstElementChild ?? to)?.focus();
};

export class Element extends HTMLElement {
  reads = {};
  answers = {};
  errors = {};
  props = {};
  ahead = 0; // of Laurel's clock
  further = 0; // rows beyond the limit
  state = ""; // why it shows nothing

  constructor() {
    super();
    (this.shadowRoot ?? this.attachShadow({ mode: "open" })).adoptedStyleSheets = [sheet];
    new MutationObserver(() => this.update()).observe(this, { attributes: true });
    for (const name of ["data", "messages", "token"]) {
      const before = this[name]; // set before the element was defined
      Object.defineProperty(this, name, {
        get: () => this.props[name],
        set: (value) => {
          this.props[name] = value;
          if (name === "token") this.reload(); // which may have been refused
          this.update();
        },
      });
      if (before) this[name] = before;
    }
  }

  connectedCallback() {
    elements.add(this);
    inView.observe(this);
    // Content that the page has put into the element is shown before the first answer, except a link in place of the
    // module; else room for the coming content, with lines.
    const given = [...this.childNodes].some((c) => !c.slot && !c.href && c.textContent.trim());
    if (!this.shadowRoot.firstChild) patch(this.shadowRoot, [given ? h("slot", {}) : h("div", { p: "board wait", ".style": `min-height:var(--laurel-room,${this.room})` })]);
  }

  disconnectedCallback() {
    elements.delete(this);
    inView.unobserve(this);
    this.see(false);
  }

  see(seen) {
    this.seen = seen;
    this.update();
    if (this.state) updateAll(); // another one may have to say it
  }

  // The reads and views of an element come with the rest of the module, except the board's.
  wants() {
    need(this._part);
    need();
  }

  show() {
    need();
  }

  /** update looks at attributes, properties and answers again, once for all that change together. */
  update() {
    if (this.asked) return;
    this.asked = true;
    queueMicrotask(() => {
      this.asked = false;
      this.sync();
    });
  }

  /** reload reads again at once. */
  reload() {
    for (const read of Object.values(this.reads)) read.load();
  }

  given(name) {
    return this.hasAttribute(name);
  }

  attr(name, otherwise = "") {
    return this.getAttribute(name) || otherwise;
  }

  /** number is an attribute that is a whole number from least to most. */
  number(name, otherwise, least, most) {
    const text = this.attr(name, otherwise);
    return text >= least && text <= most ? +text : this.wrong(name);
  }

  wrong(name) {
    throw new Error(`invalid: <${this.localName} ${name}="${this.attr(name)}">`);
  }

  get every() {
    return this.attr("refresh") === "off" ? Infinity : 1e3 * this.number("refresh", 60, 10, 86400);
  }

  // An attribute's name is no property's: frameworks set properties in place of attributes where there are both.
  get viewer() {
    return this.attr("user", null);
  }

  /** readOf returns the read of an address, which is private where mine is set: the rest of the module signs those. */
  readOf(url, mine, by) {
    return (!mine || !need()) && readOf(url, mine && (this.bearer || (() => null)), this.token ?? this.attr("token-url"), by);
  }

  /** mine says whether an entry is the viewer's. */
  mine({ user }) {
    return user?.id === (this.viewer ?? 0);
  }

  /** me is the part of addresses that is the user. */
  get me() {
    if (!this.viewer) throw guest;
    return `users/${encodeURIComponent(this.viewer)}`;
  }

  get boardName() {
    return this.attr("board", "activity");
  }

  /** path is the address of the board in a window. */
  path(window) {
    return `boards/${this.boardName}/${window}`;
  }

  address(path, query) {
    const url = new URL(`v1/${path}`, base(this.attr("src")));
    for (const name of Object.keys(query ?? {})) if (query[name]) url.searchParams.set(name, query[name]);
    return url.href;
  }

  /** sync makes the reads of the element while it is seen, and no others, and shows their answers. */
  sync() {
    const { reads, shadowRoot: root, data } = this;
    const page = data ?? this.answers.page;
    const focus = root.activeElement;
    let shown;
    let fault = this.errors.page;
    clearTimeout(this.turns);
    this.say = speak(this);
    try {
      const wants = this.seen && !document.hidden && this.isConnected && !data ? this.wants() : {};
      for (const key of Object.keys({ ...reads, ...wants })) { // not keys that a page has put into Object.prototype
        const [url, every = this.every, mine, length, by] = wants[key] ?? [];
        const read = url && this.readOf(url, mine, by);
        if (read !== reads[key]) {
          reads[key]?.drop(this);
          delete reads[key];
          if (read && key !== "page") delete this.answers[key]; // it may be another user's
        }
        if (!read) continue;
        reads[key] = read;
        read.want(this, every, length); // which may have changed
      }
      // The board's name, its last winners, and the place below the page come first, or all would move under the reader.
      shown = page && !this.say.waits && !(page.of && need("extra")) && !["boards", "winners", "own"].some((key) => reads[key] && !(this.answers[key] ?? this.errors[key])) && this.show(page);
    } catch (error) { // an attribute is wrong, or nobody is logged in
      if (error.message && this.told !== error.message) console.error(error.message);
      this.told = error.message;
      fault = error.status ? error : { status: 400 };
      shown = null;
    }
    const state = !shown && fault ? this.stateOf(fault) : "";
    if (state !== this.state) updateAll(); // as one element of the page shows a state of all
    this.state = state;
    if (state) shown = h("slot", { name: "error" }, this.trouble(state));
    if (shown) {
      const move = this.moving?.(root);
      patch(root, [h("div", { p: "board", lang: this.say.tag, ".style": "", onkeydown: arrows }, shown)]);
      move?.();
    }
    const left = Date.parse(page?.endsAt) - this.now;
    if (this.seen && left > 0 && left < 2e9) this.turns = setTimeout(() => this.update(), left);
    focus?.focus({ preventScroll: true });
  }

  /** stateOf returns the word for an error: the rest of the module knows more of them. */
  stateOf(error) {
    need();
    return passing(error) ? "busy" : "failed";
  }

  /** trouble says a state. */
  trouble(state) {
    return h("p", { p: "error" }, this.say.t(state));
  }

  /** now is Laurel's present time, as far as its answers show. */
  get now() {
    return this.data ? Date.parse(this.data.asOf) : Date.now() + this.ahead;
  }

  /** over says whether the period of an answer has ended; 7d and 30d move on. */
  over({ endsAt, window }) {
    return window > "A" && this.now >= Date.parse(endsAt);
  }

  /** changed is called by a read that has an answer or an error. */
  changed(read) {
    const key = Object.keys(this.reads).find((k) => this.reads[k] === read);
    const { error } = read;
    const answer = read.part(this);
    this.errors[key] = error;
    if (key === "page") this.ahead = read.ahead;
    if (error) this.tell("error", error);
    else if (this.answers[key] !== answer) {
      this.answers[key] = answer;
      this.tell("load", { answer });
    }
    this.update();
  }

  /** tell dispatches an event, and says whether nobody has prevented it. */
  tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(`laurel-${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  /** person returns a picture and a name that leads to the profile; Tab passes by a link of tabindex -1, arrows do not. */
  person({ user, ...entry }, pictures, tabindex = null) {
    const { t } = this.say;
    const { avatar, link } = user;
    const name = user.name || (user.id ?? t("erased"));
    const more = { class: "text", dir: "auto", title: name };
    return h("div", { class: "person" },
      pictures && (web(avatar) && !broken.has(avatar)
        ? h("img", { p: "avatar", src: avatar, alt: "", loading: "lazy", referrerpolicy: "no-referrer", onerror: () => this.update(broken.add(avatar)) })
        : h("span", { p: "avatar", ".style": `--h:${hue(name)}`, "aria-hidden": true }, [...name][0].toUpperCase())),
      web(link)
        ? h("a", { ...more, tabindex, href: link, part: "link", onclick: (event) => this.tell("select", { user, entry, event }) || event.preventDefault() }, name)
        : h("span", more, name),
      this.mine({ user }) && h("span", { class: "you" }, t("you")),
      user.firsts && this.wreath(user.firsts));
  }

  /** movement returns how a place has changed since the period before. */
  movement(before, rank, window) {
    const { t, n } = this.say;
    const way = before ? (before > rank ? "up" : "down") : "new";
    const by = n(Math.abs(before - rank));
    const label = t(way, { n: by, since: t("since" + window) });
    return before !== rank && h("span", { p: `movement ${way}`, role: "img", "aria-label": label, title: label }, before ? { up: "▲", down: "▼" }[way] + by : label);
  }

  get listed() {
    return this.answers.boards?.boards.find((b) => b.board === this.boardName);
  }

  /** unit is the name of the board's points. */
  get unit() {
    return this.say.label(this.listed?.unit) ?? this.say.t("score");
  }

  get wantsBoards() {
    return { boards: [this.address("boards"), Infinity] };
  }
}

Object.assign(Element.prototype, firsts);

/** report hands over to the rest of the module, which sends the visitor's activities. */
export const report = (...given) => (core.waiting?.push(given) ? need() : core.report(...given));

/** core has the names for the rest of the module; waiting are calls of report before it is there. */
const core = { waiting: [], Element, base, addStyle: (text) => sheet.replaceSync((looks += text)), ask, elements, h, messages, pace, reloadAll, retry, web };

/** later defines an element whose methods come with another part; room is its height in em, or a row's. */
export const later = (name, room, rows = 1, part) => {
  define(name, class extends Element {
    _part = part;

    get room() {
      return `${room * Math.min(rows, +this.attr("limit") || rows)}em`;
    }
  });
};

/** define defines an element, once also where a page has the module twice. */
export const define = (name, element) => customElements.get(`laurel-${name}`) ?? customElements.define(`laurel-${name}`, element);
