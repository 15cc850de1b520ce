// What all elements have in common: a shadow root, attributes, words, and reads while they are seen.
import board from "../board.css";
import style from "../elements.css";
import { elements, load, updateAll } from "./parts.js";
import { ask, readOf, tokenFrom } from "./reads.js";
import { h, patch } from "./tree.js";
import { messages, speak } from "./words.js";

const home = new URL("../", import.meta.url);
const sheet = new CSSStyleSheet();
let looks = board + style;
sheet.replaceSync(looks);
// What comes into view soon is read, so that it is there then.
const inView = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) target.see(isIntersecting);
}, { rootMargin: "50%" });
document.addEventListener("visibilitychange", updateAll);
addEventListener("online", () => reloadAll());

/** need loads a part that a board alone can do without. */
export const need = (part = "more") => load(part, (more) => more(core));

/** reloadAll reads again what is seen, but for one element. */
export const reloadAll = (but) => elements.forEach((e) => e !== but && e.reload());

/** base is the address of an API that an element, or nobody, names. */
export const base = (src) => new URL(src ? src.replace(/\/?$/, "/") : home, document.baseURI);

/** web says whether an address may be one of a link or a picture. */
export const web = (url) => /^https?:/i.test(url);

/** bearerOf returns what returns a visitor's token: one, a function, or where it is signed. */
export const bearerOf = (token, url) =>
  (token || url) && (async (before) => (token?.call ? token() : (token ?? tokenFrom(new URL(url, document.baseURI).href, before))));

const broken = new Set(); // pictures

export class Element extends HTMLElement {
  reads = {};
  answers = {};
  errors = {};
  own = new Map(); // private reads
  props = {};
  ahead = 0; // of Laurel's clock
  further = 0; // rows beyond the limit

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
          this.own.clear();
          this.update();
        },
      });
      if (before) this[name] = before;
    }
  }

  connectedCallback() {
    elements.add(this);
    inView.observe(this);
    // What the page has put into the element is shown before the first answer; else room for what will be.
    if (!this.shadowRoot.firstChild) patch(this.shadowRoot, [h("slot", {}, h("div", { ".style": `height:var(--laurel-room,${this.room})` }))]);
  }

  disconnectedCallback() {
    elements.delete(this);
    inView.unobserve(this);
    this.see(false);
  }

  see(seen) {
    this.seen = seen;
    if (!seen) this.roomy = !!this.answers.page; // nothing moves under a reader's eyes
    this.update();
  }

  // What an element wants and shows comes with the rest of the module, but for the board's.
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
    throw new Error(`<${this.localName}>: ${name}="${this.attr(name)}" is not valid`);
  }

  get every() {
    return this.attr("refresh") === "off" ? Infinity : 1e3 * this.number("refresh", 60, 10, 86400);
  }

  // An attribute's name is no property's: frameworks set properties in place of attributes where there are both.
  get viewer() {
    return this.attr("user", null);
  }

  get bearer() {
    return bearerOf(this.token, this.attr("token-url"));
  }

  /** mine says whether an entry is the viewer's. */
  mine({ user }) {
    return user.id && user.id === this.viewer;
  }

  /** me is the part of addresses that is the user. */
  get me() {
    return `users/${encodeURIComponent(this.viewer ?? this.wrong("user"))}`;
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

  /** sync reads what the element wants while it is seen, and nothing else, and shows what there is. */
  sync() {
    const { reads, shadowRoot: root, data } = this;
    const page = data ?? this.answers.page;
    const status = this.errors.page?.status;
    const focus = root.activeElement;
    let shown;
    let fault;
    clearTimeout(this.turns);
    this.say = speak(this);
    try {
      const wants = this.seen && !document.hidden && this.isConnected && !data ? this.wants() : {};
      for (const key of Object.keys({ ...reads, ...wants })) { // not what a page has put into Object.prototype
        const [url, every = this.every, mine] = wants[key] ?? [];
        const read = url && readOf(url, mine && (this.bearer || (() => null)), this.own);
        read?.users.set(this, every); // which may have changed
        if (read === reads[key]) continue;
        reads[key]?.drop(this);
        delete reads[key];
        if (!read) continue;
        if (key !== "page") delete this.answers[key]; // it may be somebody else's
        reads[key] = read;
        read.add(this, every);
      }
      // What the board is called, and who won before, comes first, or all would move under the reader.
      shown = page && !this.say.waits && !["boards", "winners"].some((key) => reads[key] && !(this.answers[key] || this.errors[key])) && this.show(page);
    } catch ({ message }) { // an attribute is wrong
      if (this.told !== message) console.error(message);
      this.told = message;
      fault = true;
    }
    if (!shown && (fault || status >= 0)) {
      const word = fault || (status > 399 && status < 429) ? "failed" : "busy";
      shown = h("slot", { name: "error" }, h("p", { p: "error" }, this.say.t(word)));
    }
    if (shown) patch(root, [h("div", { p: "board", lang: this.say.tag, ".style": this.roomy || fault ? "" : `min-height:var(--laurel-room,${this.room})` }, shown)]);
    const left = Date.parse(page?.endsAt) - this.now;
    if (this.seen && left > 0 && left < 2 ** 31) this.turns = setTimeout(() => this.update(), left);
    focus?.focus({ preventScroll: true });
  }

  /** now is what time it is for Laurel, as far as its answers tell. */
  get now() {
    return this.data ? Date.parse(this.data.asOf) : Date.now() + this.ahead;
  }

  /** over says whether the period of an answer has ended. */
  over({ endsAt }) {
    return this.now >= Date.parse(endsAt);
  }

  /** changed is called by a read that has an answer or an error. */
  changed(read) {
    const key = Object.keys(this.reads).find((k) => this.reads[k] === read);
    const { error, answer } = read;
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

  /** person returns a picture and a name that leads to the profile. */
  person({ user, ...entry }, pictures) {
    const { t } = this.say;
    const { avatar, link } = user;
    const name = user.name || (user.id ?? t("erased"));
    const more = { class: "text", title: name };
    const text = h("bdi", {}, name);
    return h("div", { class: "person" },
      pictures && (web(avatar) && !broken.has(avatar)
        ? h("img", { p: "avatar", src: avatar, alt: "", loading: "lazy", referrerpolicy: "no-referrer", onerror: () => this.update(broken.add(avatar)) })
        : h("span", { p: "avatar", ".style": `--h:${name.codePointAt(0)}`, "aria-hidden": true }, [...name][0].toUpperCase())),
      web(link)
        ? h("a", { ...more, href: link, part: "link", onclick: (event) => this.tell("select", { user, entry, event }) || event.preventDefault() }, text)
        : h("span", more, text),
      this.mine({ user }) && h("span", { class: "you" }, t("you")),
      user.firsts && (need(), this.wreath?.(user.firsts)));
  }

  /** movement returns how a place has changed since the period before. */
  movement(before, rank, window) {
    const { t, n } = this.say;
    const way = before ? (before > rank ? "up" : "down") : "new";
    const by = n(Math.abs(before - rank));
    const label = t(way, { n: by, since: t(`since${window}`) });
    return before !== rank && h("span", { p: `movement ${way}`, role: "img", "aria-label": label, title: label }, before ? { up: "▲", down: "▼" }[way] + by : label);
  }

  get listed() {
    return this.answers.boards?.boards.find((b) => b.board === this.boardName);
  }

  /** unit is what the board's points are called. */
  get unit() {
    return this.say.label(this.listed?.unit) ?? this.say.t("score");
  }

  get wantsBoards() {
    return { boards: [this.address("boards"), Infinity] };
  }
}

/** core is what the rest of the module works with. */
const core = { Element, addStyle: (text) => sheet.replaceSync((looks += text)), ask, h, messages, readOf, reloadAll, web };

/** later defines an element whose methods come with another part; room is its height in em, or a row's. */
export const later = (name, room, rows = 1, part) => {
  define(name, class extends Element {
    _part = part;

    get room() {
      return `${room * (+this.attr("limit") || rows)}em`;
    }
  });
};

/** define defines an element, once also where a page has the module twice. */
export const define = (name, element) => customElements.get(`laurel-${name}`) ?? customElements.define(`laurel-${name}`, element);
