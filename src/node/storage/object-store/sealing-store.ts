/** What the catalogue says of encryption. */
import type { Database } from "bun:sqlite";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { type BlobRow, readState, saveState } from "./catalogue-store.ts";

/** Whether what is stored is encrypted, and how far what was there before has followed. */
export interface SealingState {
  on: boolean;
  /** Names the key that something may be encrypted with; null where nothing is. */
  key: string | null;
  /** Bytes that were the other way when it was switched, and those of them that still are. */
  total: number;
  left: number;
  /** Nothing is left to be written anew. */
  isDone: boolean;
}

const NAME = "sealing";
const NEVER: SealingState = { on: false, key: null, total: 0, left: 0, isDone: true };

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

export function readSealing(db: Database): SealingState {
  const given = parseJson(readState(db, NAME) ?? "null");
  if (!isRecord(given)) return NEVER;
  const { on, key, total, left, isDone } = given;
  return {
    on: on === true,
    key: typeof key === "string" ? key : null,
    total: numberOf(total),
    left: numberOf(left),
    isDone: isDone === true,
  };
}

export const saveSealing = (db: Database, state: SealingState): void => saveState(db, NAME, JSON.stringify(state));

/** Switches it; all that lies the other way is to be written anew. */
export function switchSealing(db: Database, on: boolean, key: string): void {
  const left = sumOther(db, on);
  saveSealing(db, { on, key, total: left, left, isDone: false });
}

/** Says that so many bytes followed. */
export function lowerLeft(db: Database, bytes: number): void {
  const state = readSealing(db);
  saveSealing(db, { ...state, left: Math.max(0, state.left - bytes) });
}

/** Says that a file came that lies the other way. */
export function noteOther(db: Database, size: number): void {
  const state = readSealing(db);
  const since = state.isDone ? { total: size, left: size } : { total: state.total + size, left: state.left + size };
  saveSealing(db, { ...state, ...since, isDone: false });
}

/** Says that all followed; with encryption off, the key is needed only while something could not be read and stayed. */
export function endSealing(db: Database): void {
  const state = readSealing(db);
  const isNeeded = state.on || db.query("SELECT 1 FROM blobs WHERE sealed = 1 LIMIT 1").get() !== null;
  saveSealing(db, { ...state, key: isNeeded ? state.key : null, left: 0, isDone: true });
}

/** How many bytes lie the other way. Looks at every blob. */
const sumOther = (db: Database, on: boolean): number =>
  db
    .query<{ bytes: number }, [number]>("SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE sealed <> ?")
    .get(on ? 1 : 0)?.bytes ?? 0;

/** The next file after an id that lies the other way; null for none. */
export const findOtherFile = (db: Database, after: string, on: boolean): BlobRow | null =>
  db
    .query<BlobRow, [string, number]>(
      "SELECT * FROM blobs WHERE id > ? AND segment IS NULL AND sealed <> ? ORDER BY id LIMIT 1",
    )
    .get(after, on ? 1 : 0);

export const setFileSealed = (db: Database, id: string, sealed: number): void =>
  void db.query("UPDATE blobs SET sealed = ? WHERE id = ?").run(sealed, id);
