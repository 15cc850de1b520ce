// Generated from the OpenAPI document by internal/clienttypes: do not edit.

/** A moment: RFC 3339, as in 2026-11-20T12:00:00Z. */
export type Moment = string;

/** A window of time. Values may be added. */
export type Window = "day" | "week" | "month" | "quarter" | "year" | "all" | "contest" | "7d" | "30d" | (string & {});

/** A user as boards show one. */
export interface User {
  /** null for an erased user */
  id: string | null;
  /** The name to show */
  name?: string;
  /** The address of the user's picture */
  avatar?: string;
  /** Its address in the forum */
  link?: string;
  /** On how many final boards the user was the first, of the last 250 that gave a wreath; none when left out */
  firsts?: number;
  /** Whether the user was erased; the place remains */
  erased?: boolean;
}

/** The profile of a user: the data that boards show, and private data that only the service reads. Putting one replaces it whole. */
export interface Profile {
  /** The id that the forum gave */
  id: string;
  /** The name to show */
  name: string;
  /** An http or https address */
  avatar?: string;
  /** An http or https address */
  link?: string;
  /** When the account was made, for rules with minAgeDays; not public. Left out, it stays as it is; none removes it */
  since?: Moment | "none";
  /** Private groups, compared byte by byte; only the service reads them. Left out, they stay as they are; an empty list removes them */
  groups?: Array<string>;
}

/** One thing that a user did or took back. */
export interface Activity {
  /** An action, its undo, or a metric of the rules in force on its day */
  action: string;
  /** The target: an article, a page, a user. A metric needs none, nor does the service for an undo or a restore with a ref: that holds for everything of the user with the ref */
  target?: string;
  /** The comment's own id */
  ref?: string;
  /** A metric's value */
  value?: number;
  /** The user who did it: the service must set it, a user must not */
  user?: string;
  /** When: for the service to set; the moment of arrival when left out, and a millisecond later for each activity before it of the same user, action (or its undo) and target */
  at?: Moment | Date;
  /** Whether it takes the last undo back, for the service to say: an act from before counts again, and one that was not done stays so */
  restores?: boolean;
  /** The other person, for the service to say: the giver of a like, the author of a post */
  other?: string;
}

/** The answer to one activity. After the status unavailable the activity is to be reported again. */
export interface Receipt {
  /** The effect of the activity, or the reason why it had none. Values may be added. */
  status: "counted" | "capped" | "duplicate" | "superseded" | "revoked" | "nothing_to_revoke" | "voided" | "too_late" | "too_early" | "self" | "excluded" | "unknown_target" | "too_new" | "erased" | "unavailable" | (string & {});
  /** Change of the user's month scores */
  points: number;
  /** The board of the rules */
  board: string;
  /** The day it counts for */
  day: string;
  /** The user's scores on the board after the activity, by window */
  scores?: Record<string, number>;
  /** The user's ranks on the board after the request, by window; with=rank adds those that are known at once: none of a sharded board, of a user who is hidden, or while boards are unavailable */
  ranks?: Record<string, number>;
}

/** A page of a board in one period, with the standings that were asked for. */
export interface Board {
  /** The board of the rules */
  board: string;
  /** A window of time. Values may be added. */
  window: Window;
  /** The period of the window */
  period: string;
  /** The forum's time zone */
  timezone: string;
  /** The period's first moment */
  startsAt: Moment;
  /** The first moment after the period; null for all */
  endsAt: Moment | null;
  /** When this was read */
  asOf: Moment;
  /** Whether the period is closed and will not change again */
  final: boolean;
  /** teams: the places are those of teams; left out on a board of people. Values may be added. */
  of?: "teams" | (string & {});
  /** How many are on the board */
  total: number;
  /** In the board's order; none past its end */
  entries: Array<Entry>;
  /** The path of the next page; null at the end */
  next: string | null;
  /** The standing of the user asked for */
  standing?: Standing;
  /** The standings of the users asked for, in the order asked for */
  standings?: Array<Standing>;
}

/** A place of a board, of a user or of a team. */
export interface Entry {
  /** The place on the board, from 1 */
  rank: number;
  /** The points on the board; of a team the sum of its members */
  score: number;
  /** When the score was reached, in whole steps from the start of the period: of 1 ms in a day, 8 in a week, 32 in a month, 256 in a year and 32768 in all time; left out on a board of teams */
  reachedAt?: Moment;
  /** The user; left out on a board of teams */
  user?: User;
  /** The team; left out on a board of people */
  team?: Team;
  /** The rank in the period before, null when not on its board; with=movement adds it */
  previousRank?: number | null;
}

/** A team on a board. */
export interface Team {
  /** The group of its members */
  id: string;
  /** The name to show; left out when the rules do not say */
  label?: string;
  /** How many of its members are on the board; hidden ones are not counted */
  members: number;
}

/** The place of a user on a board. */
export interface Standing {
  /** The user */
  user: User;
  /** null when not on the board */
  rank: number | null;
  /** The points on the board */
  score: number;
  /** When the score was reached, as in entries; null when not on the board, and on a board of teams */
  reachedAt: Moment | null;
  /** How many are on the board */
  total: number;
  /** Percentage of the others who are behind; null when not on the board */
  percentile: number | null;
  /** Points that bring the next place: one more than the score above, as the first to reach a score keeps the place; null on the first place. Not on the board: 1, or for the user and the service, where a token is needed, 1 minus a sum below zero; null for a user whom the board's people leave out, unless the period is final, and on a board of teams for a user without a team */
  toNext: number | null;
  /** The rank in the period before; null when not on its board */
  previousRank: number | null;
  /** On a board of teams the team of the user and of this place; left out for a user without a team, and on a board of people */
  team?: Team;
  /** The user's own points for the team; on a board of teams alone */
  own?: number;
}

/** A page of the board of a user and those whom the user follows. */
export interface Friends {
  /** The board of the rules */
  board: string;
  /** A window of time. Values may be added. */
  window: Window;
  /** The period of the window */
  period: string;
  /** The forum's time zone */
  timezone: string;
  /** The period's first moment */
  startsAt: Moment;
  /** The first moment after the period; null for all */
  endsAt: Moment | null;
  /** When this was read */
  asOf: Moment;
  /** Whether the period is closed and will not change again */
  final: boolean;
  /** teams: the places are those of teams; left out on a board of people. Values may be added. */
  of?: "teams" | (string & {});
  /** How many the user follows, and the user */
  total: number;
  /** In the board's order; those without points come last, by id */
  entries: Array<Friend>;
  /** The path of the next page; null at the end */
  next: string | null;
  /** The standing of the user asked for */
  standing: FriendStanding;
}

/** A place among friends; both ranks are null without points. */
export interface Friend {
  /** Among the friends; null without points */
  rank: number | null;
  /** On the whole board; null without points */
  boardRank: number | null;
  /** The points on the board */
  score: number;
  /** When the score was reached, as on boards; null without points */
  reachedAt: Moment | null;
  /** The user */
  user: User;
}

/** The place of the user among friends, and on the board. */
export interface FriendStanding {
  /** The user */
  user: User;
  /** Among the friends; null without points */
  rank: number | null;
  /** On the whole board; null without points */
  boardRank: number | null;
  /** The points on the board */
  score: number;
  /** When the score was reached, as on boards; null without points */
  reachedAt: Moment | null;
  /** How many the user follows, and the user */
  total: number;
  /** Percentage of the friends who are behind; null without points */
  percentile: number | null;
  /** Points that bring the next place among the friends, as on boards; null on the first place, and for a user whom the board's people leave out */
  toNext: number | null;
}

/** The present places of a user, one for each board and window. */
export interface Standings {
  /** The user */
  user: User;
  /** One for each board and window */
  standings: Array<BoardPosition>;
}

/** The place of a user on one of the boards in one of their windows. */
export interface BoardPosition {
  /** The board of the rules */
  board: string;
  /** A window of time. Values may be added. */
  window: Window;
  /** The period of the window */
  period: string;
  /** null when not on the board */
  rank: number | null;
  /** The points on the board */
  score: number;
  /** When the score was reached, as in entries; null when not on the board, and on a board of teams */
  reachedAt: Moment | null;
  /** How many are on the board */
  total: number;
  /** Percentage of the others who are behind; null when not on the board */
  percentile: number | null;
  /** Points that bring the next place: one more than the score above, as the first to reach a score keeps the place; null on the first place. Not on the board: 1, or for the user and the service, where a token is needed, 1 minus a sum below zero; null for a user whom the board's people leave out, unless the period is final, and on a board of teams for a user without a team */
  toNext: number | null;
  /** The rank in the period before; null when not on its board */
  previousRank: number | null;
  /** On a board of teams the team of the user and of this place; left out for a user without a team, and on a board of people */
  team?: Team;
  /** The user's own points for the team; on a board of teams alone */
  own?: number;
}

/** A page of the periods of a board that have anybody on them. */
export interface Periods {
  /** The board of the rules */
  board: string;
  /** A window of time. Values may be added. */
  window: Window;
  /** The newest first */
  periods: Array<Period>;
  /** The path of the periods before; null at the end */
  next: string | null;
}

/** A period of a board. */
export interface Period {
  /** The period of the window */
  period: string;
  /** The period's first moment */
  startsAt: Moment;
  /** The first moment after the period; null for all */
  endsAt: Moment | null;
  /** Whether the period is closed and will not change again */
  final: boolean;
  /** How many are on the board */
  total: number;
}

/** The first places of a board in several windows. */
export interface BoardWindows {
  /** The board of the rules */
  board: string;
  /** One for each window, in the order asked for */
  windows: Array<Board>;
}

/** The first places of the ended periods of a board. */
export interface Winners {
  /** The board of the rules */
  board: string;
  /** A window of time. Values may be added. */
  window: Window;
  /** teams: the places are those of teams; left out on a board of people. Values may be added. */
  of?: "teams" | (string & {});
  /** The newest first; those with anybody on the board */
  periods: Array<WinnersPeriod>;
  /** The path of the periods before; null at the end */
  next: string | null;
}

/** An ended period with its first places. */
export interface WinnersPeriod {
  /** The period of the window */
  period: string;
  /** The first moment after the period */
  endsAt: Moment;
  /** Whether the period is closed and will not change again */
  final: boolean;
  /** In the board's order */
  entries: Array<Entry>;
}

/** The places of a user among the first ten on final boards. */
export interface Wreaths {
  /** The newest first, at most 100 */
  wreaths: Array<Wreath>;
}

/** A place among the first ten on a final board. */
export interface Wreath {
  /** The board of the rules */
  board: string;
  /** Values may be added. */
  window: "day" | "week" | "month" | "quarter" | "year" | "contest" | (string & {});
  /** The period of the window */
  period: string;
  /** The place on the final board */
  rank: number;
}

/** The boards of the rules. */
export interface BoardList {
  /** By name */
  boards: Array<ListedBoard>;
}

/** A board of the rules, with its question. */
export interface ListedBoard {
  /** The board of the rules */
  board: string;
  /** The shortest first */
  windows: Array<Window>;
  /** The names of the board, by BCP 47 language tag; empty when the rules do not say */
  labels: Record<string, string>;
  /** The names of its points, likewise */
  unit: Record<string, string>;
  /** The weights of a board today, and its conditions on people */
  question: Question;
  /** members: only readers with a token see it; left out of a board that guests see */
  audience?: "members";
}

/** The weights of a board today, and its conditions on people. */
export interface Question {
  /** By action or metric */
  counts: Record<string, Weight>;
  /** The first day of a contest; left out by other boards */
  from?: string;
  /** The last day of a contest */
  to?: string;
  /** The conditions of a board on people; all of them hold together */
  people?: PeopleOfBoard;
  /** The teams, in the order in which a person's team is chosen; left out of a board of people */
  teams?: Array<ListedTeam>;
}

/** The points of an action on a board, or the factor of a metric. */
export interface Weight {
  /** Of one entry; of a metric the factor of its value */
  points: number;
  /** How many entries count on a day; left out for all */
  cap?: number;
}

/** The conditions of a board on people; all of them hold together. */
export interface PeopleOfBoard {
  /** Whether groups of the forum choose the people on it */
  groups: boolean;
  /** Groups, of which a person has to be in one; left out for guests */
  in?: Array<string>;
  /** Groups, of which a person must be in none; left out for guests */
  notIn?: Array<string>;
  /** The greatest age of an account at the period's start, in days */
  newDays?: number;
}

/** A team of a board: a group of the forum. */
export interface ListedTeam {
  /** The group of its members */
  id: string;
  /** The name to show; left out when the rules do not say */
  label?: string;
}

/** The activities of a user by day. */
export interface ActivityDays {
  /** The user */
  user: User;
  /** The forum's time zone */
  timezone: string;
  /** Newest first; includes days without activity */
  days: Array<ActivityDay>;
  /** Totals by action */
  totals: Record<string, Tally>;
}

/** A day of a user. */
export interface ActivityDay {
  /** The day in the forum's time zone */
  day: string;
  /** By board */
  scores: Record<string, number>;
  /** By action */
  actions: Record<string, Tally>;
}

/** The number of acts, and the points for them. */
export interface Tally {
  /** Number of entries that stand; 1 for a metric */
  count: number;
  /** Points after the daily cap; a metric's value */
  points: number;
}

/** A page of the entries of a user in live months. */
export interface Entries {
  /** The user */
  user: User;
  /** By the latest of their moments, newest first */
  entries: Array<KeptEntry>;
  /** How many there are in all */
  total: number;
  /** The path of the next page; null at the end */
  next: string | null;
}

/** An act of a user on one target in a day or a month, as it is kept. Of a long target or ref there is the hash alone. */
export interface KeptEntry {
  /** The action of the rules, or award */
  action: string;
  /** The target; left out where it is not kept any more */
  target?: string;
  /** In place of a target that is kept as a hash, in hex: a long one, and the user of a follow */
  targetHash?: string;
  /** The id of the act on the target, such as a comment's own */
  ref?: string;
  /** In place of a ref that is kept as a hash, in hex */
  refHash?: string;
  /** The board of the rules */
  board?: string;
  /** Whether it counts, and why not. Values may be added. */
  state: "counted" | "over_cap" | "undone" | "voided" | "merged" | (string & {});
  /** The points of it on its day */
  points: number;
  /** The largest value of the day, of a metric */
  value?: number;
  /** Why an award was given */
  reason?: string;
  /** The month whose ledger has it */
  month: string;
  /** The day on which it counts; of an entry by day and of a metric its own; left out for one by month while it is undone */
  day?: string;
  /** When it was done first; of a metric, when the value was reported first */
  firstAt?: Moment;
  /** When it was done the last time */
  lastAt?: Moment;
  /** When it was undone the last time */
  undoneAt?: Moment;
  /** When an undo was taken back the last time */
  restoredAt?: Moment;
}

/** A page of the follow list of a user. */
export interface Following {
  /** By id */
  users: Array<User>;
  /** Length of the whole list */
  total: number;
  /** The path of the next page; null at the end */
  next: string | null;
}

/** The parts of a user that others see. */
export interface Visibility {
  /** On the boards that others see, or not. Values may be added. */
  boards: "hidden" | "shown" | (string & {});
  /** The readers of the scores by day: all, or the user alone. Values may be added. */
  days: "public" | "private" | (string & {});
}

/** A change of the parts of a user that others see. */
export interface VisibilityChange {
  /** On the boards that others see or not; as it was when left out */
  boards?: "hidden" | "shown";
  /** The readers of the scores by day: all, or the user alone; as it was when left out */
  days?: "public" | "private";
}

/** The progress of the erasure of a user. */
export interface Erasure {
  /** Values may be added. */
  state: "running" | "done" | (string & {});
  /** Number of removed items, by kind */
  removed: Record<string, number>;
}

/** The progress of the merge of a user into another one. */
export interface Merge {
  /** Values may be added. */
  state: "running" | "done" | (string & {});
  /** The user who stands for both */
  into: string;
  /** Number of joined items, by kind; dropped are entries for which the joined ledger had no room */
  joined: Record<string, number>;
}

/** Two users whose acts for each other give neither any points. */
export interface VoidPair {
  /** The other person */
  other: string;
  /** When the pair became void */
  since: Moment;
  /** As the operators' record has it */
  reason?: string;
}

/** An award to give. Sent again with the same id and moment it is the same award. */
export interface NewAward {
  /** One of the user's month; Laurel makes it when it and at are left out */
  id?: string;
  /** The day of this moment gets the points; now when it and id are left out */
  at?: Moment | Date;
  /** Below 0 it takes points */
  points: number;
  /** A board of the rules that does not count as another; activity when left out, or else the first one that is the home of actions */
  board?: string;
  /** For the user, and for the operators' record; not for names */
  reason: string;
}

/** An award that was given. */
export interface Award {
  /** The award's id */
  id: string;
  /** The award's moment */
  at: Moment;
  /** Its points; below 0 it takes some */
  points: number;
  /** The board of the rules */
  board: string;
  /** Why it was given */
  reason: string;
  /** undone: it was taken back. Values may be added. */
  state: "counted" | "undone" | (string & {});
}

/** The answer to an award, or to taking one back. */
export interface AwardReceipt {
  /** The award's id */
  id: string;
  /** The award's moment */
  at: Moment;
  /** The effect, or the reason why it had none. Values may be added. */
  status: "counted" | "duplicate" | "superseded" | "revoked" | "nothing_to_revoke" | "too_late" | "too_early" | "excluded" | "erased" | (string & {});
  /** Change of the user's month scores */
  points: number;
  /** The board of the rules */
  board: string;
  /** The day it counts for */
  day: string;
  /** The user's scores on the board after the activity, by window */
  scores?: Record<string, number>;
}

/** A page of the operators' record. */
export interface OperatorsRecord {
  /** Newest first */
  record: Array<RecordedAct>;
  /** The path of the next page; null at the end */
  next: string | null;
}

/** An act of an operator or of the service, in the words of its command. A user without a profile, or one who was erased since, has no id here. */
export interface RecordedAct {
  /** The act's id, by which lists are in order */
  id: string;
  /** When it was done */
  at: Moment;
  /** The command that does it: award, exclude, hide, show, void, merge, erase, reopen, import; with --lift it was taken back. Values may be added. */
  command: string;
  /** The user whom it was about; without an id one who has no profile, or was erased */
  user?: User;
  /** The other one of a void pair, or the user who stands for a merged one */
  other?: User;
  /** Of a void */
  target?: string;
  /** Of a reopening */
  period?: string;
  /** An award's id */
  award?: string;
  /** An award's board */
  board?: string;
  /** An award's points */
  points?: number;
  /** How many awards an import had */
  count?: number;
  /** Why it was done; of an import its file */
  reason?: string;
}

/** A page of a list of articles. */
export interface Articles {
  /** Values may be added. */
  sort: "hot" | "new" | (string & {});
  /** The group, when one was asked for */
  group?: string;
  /** Length of the whole list */
  total: number;
  /** In the list's order; none past its end */
  articles: Array<Article>;
  /** The path of the next page; null at the end */
  next: string | null;
}

/** An article of the forum. */
export interface Article {
  /** The id that the forum gave */
  id: string;
  /** The title to show */
  title: string;
  /** Its address in the forum */
  link?: string;
  /** The user who wrote it */
  author: User;
  /** When it was published */
  publishedAt: Moment;
  /** The author's own included, if the rules count it */
  votes: number;
  /** Unix seconds of publishing plus the worth of the votes */
  score: number;
  /** Sorted */
  groups: Array<string>;
  /** Whether it has at least the votes that the rules set */
  interesting: boolean;
  /** Whether a like now counts as a vote */
  votingOpen: boolean;
  /** false for an article that was taken off all lists; left out for others */
  listed?: boolean;
}

/** An article to publish. */
export interface NewArticle {
  /** The forum's own id; one is made when left out */
  id?: string;
  /** The title to show */
  title: string;
  /** An http or https address; none when left out */
  link?: string;
  /** The groups it is in, each once; none when left out */
  groups?: Array<string>;
  /** At most 48 hours back; does not change. Left out: now, or the moment it has */
  publishedAt?: Moment | Date;
  /** The user who wrote it */
  author: UserRef;
}

/** The new state of an article. */
export interface ArticleEdit {
  /** The id in the path, as it is read; may be left out */
  id?: string;
  /** The title to show */
  title: string;
  /** An http or https address; none when left out */
  link?: string;
  /** The groups it is in, each once; none when left out */
  groups?: Array<string>;
  /** At most 48 hours back; does not change. Left out: now, or the moment it has */
  publishedAt?: Moment | Date;
  /** The user who wrote it; does not change, and may be left out */
  author?: Author;
  /** false takes it off all lists and records unpublish; true puts it back and restores publish; left out, it stays as it is */
  listed?: boolean;
}

/** A user who is named by the id. */
export interface UserRef {
  /** The id that the forum gave */
  id: string;
}

/** The author of an article, named by the id. */
export interface Author {
  /** null for an erased user */
  id: string | null;
}

/** An error in one place of a request. */
export interface Violation {
  /** The kind of violation. Values may be added. */
  code: "invalid_json" | "unknown_field" | "missing_field" | "wrong_type" | "empty" | "too_short" | "too_long" | "too_few_items" | "too_many_items" | "duplicate_item" | "out_of_range" | "unknown_value" | "pattern" | "invalid_utf8" | "control_character" | "invalid_id" | "invalid_url" | "invalid_time" | "too_early" | "too_late" | "unknown_action" | "outside_rules" | "not_applicable" | "service_only" | "forbidden_action" | "own_id" | "other_id" | "not_supported" | "media_type" | "no_body" | "invalid_query" | "unknown_parameter" | "missing_parameter" | "repeated_parameter" | "invalid_period" | (string & {});
  /** The error, in English */
  message: string;
  /** Where it is, from body, query, path or header */
  location: string;
  /** The value found there, shortened; left out where it would not help */
  value?: unknown;
}
