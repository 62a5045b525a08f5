import type { Part } from "../../../kernel/feature.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { Language } from "../../languages.ts";
import type { MailOutcome } from "./contract.ts";
import type { OutcomeRow } from "./outcome-store.ts";

/** A letter to be sent. */
export interface Mail {
  /** Who writes it; see `lists.letters`. */
  kind: string;
  /** The workspace that it speaks for, which is told what becomes of it; null for one that is the account's alone. */
  tenantId: string | null;
  to: string;
  /** What its writer needs; it stands in the database as it is, so it holds no secret. */
  facts: Record<string, string>;
  /** Milliseconds after which it is of no use any more. */
  lifetimeMs: number;
}

export interface Mailing extends Part {
  /** What is missing before mail can be sent, as variables of the environment; empty when it can. */
  missing(): string[];
  /** Puts a letter into the queue, in the caller's transaction; none for an address where no mail can arrive. */
  queue(tx: SystemTx, mail: Mail): Promise<void>;
  /** What became of the last letter to an address: of a workspace, or with null of those that are the account's alone. */
  findOutcome(tenantId: string | null, address: string): Promise<MailOutcome | null>;
  /** What was not taken, the latest first, of all workspaces; of one address everything. */
  listUntaken(address: string | null, limit: number): Promise<OutcomeRow[]>;
  /** Forgets all of an address, so that it is written to again. False when nothing was known. */
  forgetAddress(address: string): Promise<boolean>;
  /** Sends a test letter now. Throws what the mail server answered. */
  sendTest(to: string, language: Language): Promise<void>;
}
