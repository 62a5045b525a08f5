import { addressOf } from "../../client/base.ts";

/** What the server tells of a terminal beside what its program says. */
export type TerminalNews =
  /** `recorded`: what it shows is kept for others to see. */
  | { is: "ready"; recorded: boolean }
  | { is: "warning"; reason: string }
  /** `hide`: what is on the screen goes, for nobody sits at it. `isLost`: nobody ended it, the way to it broke. */
  | { is: "over"; words: string; hide?: boolean; isLost?: boolean };

/** A terminal that is connected, or about to be. */
export interface Connection {
  type(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

export interface Hearing {
  tell(news: TerminalNews): void;
  /** `taken` is called once they are on the screen. */
  show(bytes: Uint8Array, taken: () => void): void;
}

/** Opens a terminal of that size on the server. Rejects with a problem that says why there is none. */
export type Connect = (size: { columns: number; rows: number }, hearing: Hearing) => Promise<Connection>;

const LOST =
  "The connection is gone, and the shell ended with it. A new one opens as soon as the server can be reached.";

/** What is said of a connection that ended without a word. */
export const lost = (): TerminalNews => ({ is: "over", words: LOST, isLost: true });

/** The address of a socket of this page's own server. */
export const socketUrl = (path: string): string => `${location.origin.replace(/^http/, "ws")}${addressOf(path)}`;
