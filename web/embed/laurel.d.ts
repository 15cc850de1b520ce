/** Types of https://API/embed/laurel.js */

export interface User { id: string | null; name?: string; avatar?: string; link?: string; erased?: boolean; firsts?: number }
export interface Entry { rank: number | null; score: number; previousRank?: number | null; boardRank?: number | null; reachedAt?: string | null; user?: User; team?: Team }
export interface Team { id: string; label?: string; members: number }
export interface Standing { user: User; team?: Team; own?: number; rank: number | null; score: number; total: number; percentile: number | null; toNext: number | null; previousRank?: number | null }
export interface Answer {
  board: string; window: string; period: string; timezone: string; startsAt: string; endsAt: string | null; asOf: string; final: boolean;
  total: number; entries: Entry[]; next: string | null; standing?: Standing; of?: "teams";
}
export interface Problem { type: string; title: string; status: number; detail: string; code: string }
export interface Activity { action: string; target?: string; ref?: string; value?: number; at?: string }
export interface Receipt { status: string; points: number; board?: string; day?: string; scores?: Record<string, number> }
export type Token = string | (() => string | Promise<string>);

export interface LaurelElement extends HTMLElement {
  /** The visitor's token, or what returns it; in place of token-url. */
  token?: Token;
  /** Words of this element, by key. */
  messages?: Record<string, string>;
  /** Reads again at once. */
  reload(): void;
}
/** Attributes: src board windows window period limit user friends layout avatars periods more points columns bars link refresh token-url label lang */
export interface LaurelBoard extends LaurelElement {
  /** An answer to show in place of reading one. */
  data?: Answer;
}
/** Attributes: src board window user token-url lang refresh */
export interface LaurelStanding extends LaurelElement {}
/** Attributes: src board user days action token-url lang refresh table */
export interface LaurelHeatmap extends LaurelElement {}
/** Attributes: src board user token-url refresh lang */
export interface LaurelHistory extends LaurelElement {}
/** Attributes: src sort group limit lang user token-url refresh */
export interface LaurelHot extends LaurelElement {}
/** Attributes: src board window limit top refresh lang */
export interface LaurelWinners extends LaurelElement {}
/** Attributes: src user token-url lang */
export interface LaurelHide extends LaurelElement {}

/** Words by language tag; a page adds its own. */
export const messages: Record<string, Record<string, string>>;

/** Sends activities of the visitor at once, but what comes within 2 seconds after that together. */
export function report(activities: Activity | Activity[], settings?: { src?: string; token?: Token; tokenUrl?: string }): void;

declare global {
  interface HTMLElementTagNameMap {
    "laurel-board": LaurelBoard;
    "laurel-standing": LaurelStanding;
    "laurel-heatmap": LaurelHeatmap;
    "laurel-history": LaurelHistory;
    "laurel-hot": LaurelHot;
    "laurel-hide": LaurelHide;
    "laurel-winners": LaurelWinners;
  }
  interface HTMLElementEventMap {
    "laurel-load": CustomEvent<{ answer: Answer }>;
    "laurel-error": CustomEvent<{ status: number; problem?: Problem }>;
    "laurel-change": CustomEvent<{ window: string; period: string }>;
    "laurel-select": CustomEvent<{ user: User; entry: Entry; event: MouseEvent }>;
    "laurel-rank": CustomEvent<{ from: number; to: number }>;
  }
  interface DocumentEventMap {
    "laurel-receipts": CustomEvent<{ receipts: Receipt[]; activities: Activity[] }>;
  }
}
