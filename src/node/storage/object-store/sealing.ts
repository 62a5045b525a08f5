import * as fs from "node:fs";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import type { SealingState } from "./sealing-store.ts";
import { syncFolder } from "./segment-log.ts";
import type { Vault } from "./vault.ts";

/** Why a store cannot be opened with the key that is here; null where it can. */
export const wrongKey = ({ key }: Pick<SealingState, "key">, { id }: Vault): string | null =>
  key === null || key === id ? null : wordsOfKey(key, id);

/** The same in words. */
export const wordsOfKey = (wanted: string, id: string): string =>
  `what it holds is encrypted with the key ${wanted}, and this node has ${id}. Put back the node.key that belongs to it, from a backup of that node`;

/** Writes beside the catalogue whether what is stored is encrypted, for the day when the catalogue is lost. */
export function markSealing(layout: Layout, on: boolean): void {
  if (fs.existsSync(layout.sealing) === on) return;
  if (on) fs.closeSync(fs.openSync(layout.sealing, "w", 0o600));
  else fs.rmSync(layout.sealing, { force: true });
  syncFolder(join(layout.sealing, ".."));
}
