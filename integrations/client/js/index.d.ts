import type {
  Activity, ActivityDays, Article, ArticleEdit, Articles, Award, AwardReceipt, Board, BoardList, BoardWindows,
  Entries, Entry, Erasure, Following, Friend, Friends, KeptEntry, Merge, Moment, NewArticle, NewAward, OperatorsRecord,
  Period, Periods, Profile, Receipt, RecordedAct, Standings, User, Violation, Visibility, VisibilityChange, VoidPair,
  Window, Winners, Wreaths,
} from "./types.js";

export type * from "./types.js";

/** Returns a token, such as one that the forum signs. Called when there is none, shortly before it expires, and once
 * when one is refused; never twice at the same time. */
export type TokenSource = () => string | Promise<string>;

export interface ClientOptions {
  /** How often a request is sent at most: 4. */
  tries?: number;
  /** The longest Retry-After that is obeyed, in milliseconds; after a longer one the problem is thrown: a minute. */
  maxWait?: number;
  /** How long a try may take, in milliseconds: 30 s. */
  timeout?: number;
  fetch?: typeof globalThis.fetch;
}

export interface Options {
  signal?: AbortSignal;
}

/** The answer to a request that was refused. The code does not change; an answer of API Gateway or a proxy has none. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: Violation[];
  /** The request's id, by which an operator finds it in the log. */
  readonly instance: string;
  /** Milliseconds; 0 where the answer does not say. */
  readonly retryAfter: number;
  /** Of a report: the receipts of the activities recorded before it. */
  readonly receipts?: Receipt[];
}

export interface PageOptions extends Options {
  limit?: number;
  offset?: number;
}

export interface BoardOptions extends PageOptions {
  /** A past period; the current one if left out. */
  period?: string;
  /** Whose standing to add. */
  user?: string;
  /** Whose standings to answer, at most 100. */
  users?: string[];
  with?: "movement";
}

export interface StandingOptions extends Options {
  period?: string;
  around?: number;
  with?: "movement";
}

export interface FriendsOptions extends PageOptions {
  period?: string;
}

export interface PeriodsOptions extends Options {
  limit?: number;
  before?: string;
}

export interface BoardWindowsOptions extends Options {
  windows?: string;
  limit?: number;
  user?: string;
  with?: "movement";
}

export interface WinnersOptions extends PeriodsOptions {
  top?: number;
}

export interface EntriesOptions extends PageOptions {
  board?: string;
  action?: string;
  since?: Moment | Date;
}

export interface ArticlesOptions extends PageOptions {
  sort?: "hot" | "new";
  group?: string;
}

/** A client of one Laurel. */
export class Client {
  constructor(address: string, token?: TokenSource, options?: ClientOptions);

  report(activities: Activity[], options?: Options): Promise<Receipt[]>;
  board(board: string, window: Window, options?: BoardOptions): Promise<Board>;
  boardEntries(board: string, window: Window, options?: BoardOptions): AsyncGenerator<Entry, void, void>;
  standing(board: string, window: Window, user: string, options?: StandingOptions): Promise<Board>;
  friends(board: string, window: Window, user: string, options?: FriendsOptions): Promise<Friends>;
  friendEntries(
    board: string, window: Window, user: string, options?: FriendsOptions,
  ): AsyncGenerator<Friend, void, void>;
  boards(options?: Options): Promise<BoardList>;
  boardWindows(board: string, options?: BoardWindowsOptions): Promise<BoardWindows>;
  winners(board: string, window: Window, options?: WinnersOptions): Promise<Winners>;
  wreaths(user: string, options?: Options): Promise<Wreaths>;
  periods(board: string, window: Window, options?: PeriodsOptions): Promise<Periods>;
  allPeriods(board: string, window: Window, options?: PeriodsOptions): AsyncGenerator<Period, void, void>;
  standings(user: string, options?: Options): Promise<Standings>;
  activityDays(user: string, options?: Options & { days?: number }): Promise<ActivityDays>;
  entries(user: string, options?: EntriesOptions): Promise<Entries>;
  allEntries(user: string, options?: EntriesOptions): AsyncGenerator<KeptEntry, void, void>;
  profile(user: string, options?: Options): Promise<Profile>;
  privateProfile(user: string, options?: Options): Promise<Profile>;
  putProfile(profile: Profile, options?: Options): Promise<Profile>;
  putProfiles(profiles: Profile[], options?: Options): Promise<Profile[]>;
  erase(user: string, options?: Options): Promise<Erasure>;
  erasure(user: string, options?: Options): Promise<Erasure>;
  following(user: string, options?: PageOptions): Promise<Following>;
  allFollowing(user: string, options?: PageOptions): AsyncGenerator<User, void, void>;
  putFollowing(user: string, ids: string[], options?: Options): Promise<number>;
  visibility(user: string, options?: Options): Promise<Visibility>;
  putVisibility(user: string, change: VisibilityChange, options?: Options): Promise<Visibility>;
  award(user: string, award: NewAward, options?: Options): Promise<AwardReceipt>;
  awards(user: string, options?: Options): Promise<Award[]>;
  revokeAward(user: string, id: string, options?: Options): Promise<AwardReceipt>;
  putVoidPair(user: string, other: string, reason?: string, options?: Options): Promise<VoidPair>;
  voidPair(user: string, other: string, options?: Options): Promise<VoidPair>;
  liftVoidPair(user: string, other: string, options?: Options): Promise<void>;
  merge(user: string, into: string, reason?: string, options?: Options): Promise<Merge>;
  mergeOf(user: string, options?: Options): Promise<Merge>;
  record(options?: PeriodsOptions): Promise<OperatorsRecord>;
  allRecord(options?: PeriodsOptions): AsyncGenerator<RecordedAct, void, void>;
  createArticle(article: NewArticle, options?: Options): Promise<Article>;
  article(id: string, options?: Options): Promise<Article>;
  editArticle(id: string, edit: ArticleEdit, options?: Options): Promise<Article>;
  deleteArticle(id: string, options?: Options): Promise<void>;
  articles(options?: ArticlesOptions): Promise<Articles>;
  allArticles(options?: ArticlesOptions): AsyncGenerator<Article, void, void>;
  votes(user: string, articles: string[], options?: Options): Promise<string[]>;
}

/** An event that Laurel sends. It comes at least once: the id is the same each time. */
export interface Event<Data = unknown> {
  id: string;
  type: string;
  timestamp: Moment;
  data: Data;
}

/** An event that none of the secrets has signed, or not lately. */
export class SignatureError extends Error {}

export function verify<Data = unknown>(
  headers: { get(name: string): string | null } | Record<string, string | string[] | undefined>,
  body: string | ArrayBuffer | Uint8Array,
  secrets: string | string[],
  now?: number,
): Promise<Event<Data>>;
