// A client of Laurel, leaderboards for forums, for Node 20 and browsers. It sends a request again only where that
// changes nothing. It does not keep requests that it could not send.

import { abortable, Problem, Transport } from "./transport.js";

export { Problem };
export { SignatureError, verify } from "./webhook.js";

// How many activities a request may have: of a member's token, and of the service's; and how many profiles.
const maxOfMember = 100;
const maxOfService = 500;
const maxProfiles = 100;

/** A client of one Laurel. */
export class Client {
  #transport;
  #reported = Promise.resolve(); // when the member's last report is over

  /**
   * @param address of Laurel, such as https://boards.example
   * @param token a function that returns a token, or a promise of one; none for public reads alone
   * @param options tries (4), maxWait and timeout of a try in milliseconds (a minute, 30 s), fetch
   */
  constructor(address, token, options = {}) {
    this.#transport = new Transport(address, token, options);
  }

  /**
   * Reports activities and returns their receipts in order: activities without a user as those of the member whose
   * token it is, 100 in a request, those with a user as the service's, 500 in a request. An error has the receipts of
   * the activities recorded before it.
   *
   * Requests are sent again when their answers are lost. So that a repetition changes nothing, a service's activities
   * without a moment get that of this call, which asks for a clock that is set. A member cannot say when. A repeated
   * do is a duplicate, and repeating a request that does and undoes leaves what its last activity said; but a like
   * whose answer was lost, sent again after a later unlike, would overturn it, as Laurel takes both when they arrive.
   * So a client sends a member's reports one after the other: no report overtakes one that is still being tried. What
   * remains: another page of the same member in those seconds, and an entry by day (a visit) that is sent again after
   * midnight counts on both days, as if the member had come again.
   */
  report(activities, options) {
    if (activities.every((a) => a.user)) {
      return this.#report(withMoments(activities, Date.now()), maxOfService, options);
    }
    const before = this.#reported;
    const mine = abortable(before, options?.signal).then(() => this.#report(activities, maxOfMember, options));
    this.#reported = Promise.all([before, mine.catch(() => {})]);
    return mine;
  }

  async #report(activities, most, options) {
    const receipts = [];
    for (let i = 0; i < activities.length; i += most) {
      const body = { activities: activities.slice(i, i + most) };
      try {
        receipts.push(...(await this.#do("POST", "/v1/activities", { body, ...options })).receipts);
      } catch (error) {
        throw error instanceof Error ? Object.assign(error, { receipts }) : error;
      }
    }
    return receipts;
  }

  /** Reads a page of a board: period (a past one), limit, offset, user, users, with ("movement"). */
  board(board, window, options) {
    return this.#open(path`/v1/boards/${board}/${window}`, options);
  }

  /** Yields the entries of a board, page after page. */
  boardEntries(board, window, options) {
    return this.#walk("entries", (o) => this.board(board, window, o), options, true);
  }

  /** Reads where a user is, and the neighbours: period, around, with. */
  standing(board, window, user, options) {
    return this.#open(path`/v1/boards/${board}/${window}/users/${user}`, options);
  }

  /** Reads the board of a user and those the user follows: period, limit, offset. */
  friends(board, window, user, options) {
    return this.#own(path`/v1/boards/${board}/${window}/users/${user}/friends`, options);
  }

  /** Yields the entries of a friends board, page after page. */
  friendEntries(board, window, user, options) {
    return this.#walk("entries", (o) => this.friends(board, window, user, o), options);
  }

  /** Reads the boards of the rules, with their windows, names and questions. */
  boards(options) {
    return this.#open("/v1/boards", options);
  }

  /** Reads the top of a board's windows, all in one request: windows ("day,month"), limit, user, with. */
  boardWindows(board, options) {
    return this.#open(path`/v1/boards/${board}`, options);
  }

  /** Reads the first users of ended periods, newest first: limit, top, before. */
  winners(board, window, options) {
    return this.#open(path`/v1/boards/${board}/${window}/winners`, options);
  }

  /** Reads the first ten places that a user has on final boards. */
  wreaths(user, options) {
    return this.#open(path`/v1/users/${user}/wreaths`, options);
  }

  /** Reads a page of a board's periods, newest first: limit, before. */
  periods(board, window, options) {
    return this.#open(path`/v1/boards/${board}/${window}/periods`, options);
  }

  /** Yields the periods of a board, page after page. */
  allPeriods(board, window, options) {
    return this.#walk("periods", (o) => this.periods(board, window, o), options, true);
  }

  /** Reads where a user stands now on every board and window. */
  standings(user, options) {
    return this.#own(path`/v1/users/${user}/standings`, options);
  }

  /** Reads the last days of a user: days. */
  activityDays(user, options) {
    return this.#own(path`/v1/users/${user}/activity`, options);
  }

  /** Reads a page of a user's entries, and why each counts or not: board, action, since, limit, offset. */
  entries(user, options) {
    return this.#own(path`/v1/users/${user}/entries`, options);
  }

  /** Yields a user's entries, page after page. */
  allEntries(user, options) {
    return this.#walk("entries", (o) => this.entries(user, o), options);
  }

  /** Reads a profile; a user without one is a problem with the code no_profile. */
  profile(user, options) {
    return this.#open(path`/v1/users/${user}`, options);
  }

  /** Reads a profile with its private data, for the service; likewise. */
  privateProfile(user, options) {
    return this.#own(path`/v1/private/users/${user}`, options);
  }

  /** Replaces the profile of the user in it; since and groups stay where they are left out. */
  putProfile(profile, options) {
    return this.#do("PUT", path`/v1/users/${profile.id}`, { body: profile, ...options });
  }

  /** Replaces any number of profiles, 100 in a request. */
  async putProfiles(profiles, options) {
    const users = [];
    for (let i = 0; i < profiles.length; i += maxProfiles) {
      const body = { users: profiles.slice(i, i + maxProfiles) };
      users.push(...(await this.#do("PUT", "/v1/users", { body, ...options })).users);
    }
    return users;
  }

  /** Erases a user everywhere, within minutes; erasure tells how far that is. */
  erase(user, options) {
    return this.#do("DELETE", path`/v1/users/${user}`, options);
  }

  /** Reads how far the erasing of a user is. */
  erasure(user, options) {
    return this.#own(path`/v1/users/${user}/erasure`, options);
  }

  /** Reads a page of a user's follow list: limit, offset. */
  following(user, options) {
    return this.#own(path`/v1/users/${user}/following`, options);
  }

  /** Yields the follow list of a user, page after page. */
  allFollowing(user, options) {
    return this.#walk("users", (o) => this.following(user, o), options);
  }

  /** Replaces a user's follow list, 5,000 ids at most, and returns how many there are on it. */
  async putFollowing(user, ids, options) {
    const body = { users: ids.map((id) => ({ id })) };
    return (await this.#do("PUT", path`/v1/users/${user}/following`, { body, ...options })).total;
  }

  /** Reads whether others see a user. */
  visibility(user, options) {
    return this.#own(path`/v1/users/${user}/visibility`, options);
  }

  /** Sets whether others see a user: boards, days. A field that is left out stays as it is. */
  putVisibility(user, visibility, options) {
    return this.#do("PUT", path`/v1/users/${user}/visibility`, { body: visibility, ...options });
  }

  /**
   * Gives a user an award: points (below zero it takes some), reason, board. One without an id and a moment gets a
   * random id and the moment of this call before it is sent: sent again with the same ones, it is the same award.
   */
  award(user, award, options) {
    const made = award.id || award.at ? {} : { id: randomID(), at: new Date() };
    return this.#do("POST", path`/v1/users/${user}/awards`, { body: { ...award, ...made }, ...options });
  }

  /** Returns the awards of a user's live months, newest first. */
  async awards(user, options) {
    return (await this.#own(path`/v1/users/${user}/awards`, options)).awards;
  }

  /** Takes an award back for good. */
  revokeAward(user, id, options) {
    return this.#do("DELETE", path`/v1/users/${user}/awards/${id}`, options);
  }

  /** Makes a pair of users void, for a reason that may be left out: their acts for each other give neither points. */
  putVoidPair(user, other, reason, options) {
    return this.#do("PUT", path`/v1/users/${user}/voids/${other}`, { body: { reason }, ...options });
  }

  /** Reads a void pair; one that is not void is a problem with the code no_void_pair. */
  voidPair(user, other, options) {
    return this.#own(path`/v1/users/${user}/voids/${other}`, options);
  }

  /** Ends a void pair: everything counts again as before on live boards. */
  async liftVoidPair(user, other, options) {
    await this.#do("DELETE", path`/v1/users/${user}/voids/${other}`, options);
  }

  /** Merges a user into another one, for good: from now on the id means that one. reason may be left out. */
  merge(user, into, reason, options) {
    return this.#do("POST", path`/v1/users/${user}/merge`, { body: { into, reason }, ...options });
  }

  /** Reads how far the merge of a user is; one who was never merged is a problem with the code no_merge. */
  mergeOf(user, options) {
    return this.#own(path`/v1/users/${user}/merge`, options);
  }

  /** Reads a page of the operators' record, newest first: limit, before (an act's id). */
  record(options) {
    return this.#own("/v1/record", options);
  }

  /** Yields the operators' record, page after page. */
  allRecord(options) {
    return this.#walk("record", (o) => this.record(o), options);
  }

  /**
   * Publishes an article. One without an id or a moment gets a random id and the moment of this call before it is
   * sent: sent again with the same ones, it is the same article and not a second.
   */
  createArticle(article, options) {
    const body = { ...article, id: article.id ?? randomID(), publishedAt: article.publishedAt ?? new Date() };
    return this.#do("POST", "/v1/articles", { body, ...options });
  }

  /** Reads an article. */
  article(id, options) {
    return this.#open(path`/v1/articles/${id}`, options);
  }

  /** Replaces an article's title, link and groups; listed false takes it off all lists, true puts it back. */
  editArticle(id, edit, options) {
    return this.#do("PUT", path`/v1/articles/${id}`, { body: edit, ...options });
  }

  /**
   * Deletes an article for good. Deleting one again is a problem with the code unknown_article, also where the answer
   * to the first try was lost.
   */
  async deleteArticle(id, options) {
    await this.#do("DELETE", path`/v1/articles/${id}`, options);
  }

  /** Reads a page of articles: sort ("hot" or "new"), group, limit, offset. */
  articles(options) {
    return this.#open("/v1/articles", options);
  }

  /** Yields articles, page after page. */
  allArticles(options) {
    return this.#walk("articles", (o) => this.articles(o), options, true);
  }

  /** Returns which of up to 100 articles a user has voted for. */
  async votes(user, articles, options) {
    return (await this.#own(path`/v1/users/${user}/votes`, { ...options, article: articles })).votes;
  }

  // A read that everybody may make, without a token: so caches answer it, and browsers ask no leave for it.
  #open(at, options) {
    return this.#own(at, options, true);
  }

  // A read of a user's own data. All options but the signal are parameters.
  #own(at, { signal, ...query } = {}, open = false) {
    return this.#do("GET", at + ask(query), { signal, open });
  }

  // Yields the items of a list by the paths that pages name in next, not by offsets: on a live board these carry the
  // position of the last entry, so that no user who stays is left out while others overtake.
  async *#walk(items, first, options, open = false) {
    let page = await first(options);
    for (;;) {
      yield* page[items];
      if (!page.next) return;
      page = await this.#do("GET", page.next, { signal: options?.signal, open });
    }
  }

  #do(method, at, options) {
    return this.#transport.do(method, at, options);
  }
}

// Returns a path with escaped segments.
function path(strings, ...segments) {
  return String.raw({ raw: strings }, ...segments.map((s) => encodeURIComponent(s)));
}

// Returns the query of parameters; those that are left out are none, of a list there is one for each.
function ask(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== "") query.append(name, one instanceof Date ? one.toISOString() : one);
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}

// Gives activities without a moment this one, and each a millisecond more than the one before it of the same user and
// target. Laurel does so itself where there is no moment; with equal ones an undo would win over the do after it.
function withMoments(activities, now) {
  const before = new Map();
  return activities.map((a) => {
    if (a.at) return a;
    const subject = JSON.stringify([a.user, a.target]);
    const later = before.get(subject) ?? 0;
    before.set(subject, later + 1);
    return { ...a, at: new Date(now + later) };
  });
}

// Returns 26 random letters and digits; randomUUID is missing on pages without TLS.
function randomID() {
  return Array.from(crypto.getRandomValues(new Uint8Array(26)), (n) => (n % 32).toString(32)).join("");
}
