/** A moment: RFC 3339, as in 2026-11-20T12:00:00Z. */
export type Moment = string;

/** Windows of boards; a later Laurel may have others. */
export type Window = "day" | "week" | "month" | "quarter" | "year" | "all" | "contest" | "7d" | "30d";

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

/** One thing that a user did or took back. user, at, restores and other are the service's to give. */
export interface Activity {
  /** Of the rules: like, unlike, comment and so on; or a metric such as steps. */
  action: string;
  target?: string;
  ref?: string;
  value?: number;
  user?: string;
  at?: Moment | Date;
  restores?: boolean;
  /** The other person: the giver of a like, the author of a post. */
  other?: string;
}

/** The answer to one activity. After the status unavailable that activity is to be reported again. */
export interface Receipt {
  status: string;
  points: number;
  board: string;
  day: string;
  scores?: Record<string, number>;
}

/** A user; the id is null for a user who was erased after the board was final. */
export interface User {
  id: string | null;
  name?: string;
  avatar?: string;
  link?: string;
  /** Of how many final boards the user was the first. */
  firsts?: number;
  erased?: boolean;
}

export interface Profile {
  id: string;
  name: string;
  avatar?: string;
  link?: string;
  since?: Moment | "none";
  groups?: string[];
}

interface Frame {
  board: string;
  window: Window;
  period: string;
  timezone: string;
  startsAt: Moment;
  endsAt: Moment | null;
  asOf: Moment;
  final: boolean;
  total: number;
  next: string | null;
}

export interface Board extends Frame {
  entries: Entry[];
  standing?: Standing;
  standings?: Standing[];
}

export interface Entry {
  rank: number;
  score: number;
  reachedAt: Moment;
  user: User;
  previousRank?: number | null;
}

interface Position {
  rank: number | null;
  score: number;
  reachedAt: Moment | null;
  total: number;
  percentile: number | null;
  toNext: number | null;
}

export interface Standing extends Position {
  user: User;
  previousRank: number | null;
}

export interface BoardPosition extends Position {
  board: string;
  window: Window;
  period: string;
  previousRank: number | null;
}

export interface Standings {
  user: User;
  standings: BoardPosition[];
}

export interface Friends extends Frame {
  entries: Friend[];
  standing: FriendStanding;
}

export interface Friend {
  rank: number | null;
  boardRank: number | null;
  score: number;
  reachedAt: Moment | null;
  user: User;
}

export interface FriendStanding extends Position {
  user: User;
  boardRank: number | null;
}

export interface Periods {
  board: string;
  window: Window;
  periods: Period[];
  next: string | null;
}

/** The boards of the rules, by name. */
export interface BoardList {
  boards: ListedBoard[];
}

/** A board; labels and unit are by language tag. */
export interface ListedBoard {
  board: string;
  windows: Window[];
  labels: Record<string, string>;
  unit: Record<string, string>;
  question: Question;
}

/** The weights of a board today, by action or metric, and its conditions on people. */
export interface Question {
  counts: Record<string, Weight>;
  people?: PeopleOfBoard;
}

/** The points of one entry, or the factor of a metric's value, and how many entries count on a day: all without cap. */
export interface Weight {
  points: number;
  cap?: number;
}

/** The conditions on people: groups of the forum choose them, and the greatest age of an account, in days. */
export interface PeopleOfBoard {
  groups: boolean;
  newDays?: number;
}

export interface BoardWindows {
  board: string;
  windows: Board[];
}

export interface Winners {
  board: string;
  window: Window;
  periods: WinnersPeriod[];
  next: string | null;
}

export interface WinnersPeriod {
  period: string;
  endsAt: Moment;
  final: boolean;
  entries: Entry[];
}

export interface Wreaths {
  wreaths: Wreath[];
}

export interface Wreath {
  board: string;
  window: Window;
  period: string;
  rank: number;
}

export interface Period {
  period: string;
  startsAt: Moment;
  endsAt: Moment | null;
  final: boolean;
  total: number;
}

export interface Erasure {
  state: "running" | "done";
  removed: Record<string, number>;
}

export interface Following {
  users: User[];
  total: number;
  next: string | null;
}

export interface Visibility {
  boards: "hidden" | "shown";
  days: "public" | "private";
}

export interface ActivityDays {
  user: User;
  timezone: string;
  days: ActivityDay[];
  totals: Record<string, Tally>;
}

export interface ActivityDay {
  day: string;
  scores: Record<string, number>;
  actions: Record<string, Tally>;
}

export interface Tally {
  count: number;
  points: number;
}

export interface Entries {
  user: User;
  entries: KeptEntry[];
  total: number;
  next: string | null;
}

export interface KeptEntry {
  action: string;
  board?: string;
  target?: string;
  targetHash?: string;
  ref?: string;
  refHash?: string;
  state: string;
  points: number;
  value?: number;
  /** Of an award. */
  reason?: string;
  month: string;
  day?: string;
  firstAt?: Moment;
  lastAt?: Moment;
  undoneAt?: Moment;
  restoredAt?: Moment;
}

export interface Award {
  id: string;
  at: Moment;
  points: number;
  board: string;
  reason: string;
  state: string;
}

export interface NewAward {
  id?: string;
  at?: Moment | Date;
  points: number;
  board?: string;
  reason: string;
}

export interface AwardReceipt {
  id: string;
  at: Moment;
  status: string;
  points: number;
  board: string;
  day: string;
  scores?: Record<string, number>;
}

export interface VoidPair {
  other: string;
  since: Moment;
  reason?: string;
}

export interface Merge {
  state: "running" | "done";
  into: string;
  joined: Record<string, number>;
}

export interface OperatorsRecord {
  record: RecordedAct[];
  next: string | null;
}

export interface RecordedAct {
  id: string;
  at: Moment;
  command: string;
  /** Without an id: of a user without a profile, or one who was erased. */
  user?: User;
  other?: User;
  target?: string;
  period?: string;
  award?: string;
  board?: string;
  points?: number;
  count?: number;
  reason?: string;
}

export interface Article {
  id: string;
  title: string;
  link?: string;
  author: User;
  publishedAt: Moment;
  votes: number;
  score: number;
  groups: string[];
  interesting: boolean;
  votingOpen: boolean;
  listed?: boolean;
}

export interface NewArticle {
  id?: string;
  title: string;
  link?: string;
  author: { id: string };
  groups?: string[];
  publishedAt?: Moment | Date;
}

export interface ArticleEdit {
  title: string;
  link?: string;
  groups?: string[];
  listed?: boolean;
}

export interface Articles {
  sort: string;
  group?: string;
  total: number;
  articles: Article[];
  next: string | null;
}

export interface Violation {
  code: string;
  message: string;
  location: string;
  value?: unknown;
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
  putVisibility(user: string, visibility: Partial<Visibility>, options?: Options): Promise<Visibility>;
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
