import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { days, hours } from "../../../lib/duration.ts";
import type { Needs } from "./needs.ts";
import { fileOf } from "./recorder.ts";
import * as store from "./store.ts";

/** How long a recording is kept. */
export const KEPT_DAYS = 90;
const AT_ONCE = 200;
/** A file this young may be of a recording that is just beginning. */
const YOUNG_MS = hours(1);

/** Forgets recordings whose time is over, and files that no row knows: without its key nobody can read one any more. */
export async function forgetOld(needs: Needs, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore; ) {
    const old = await store.listBefore(needs.system, needs.clock.now() - days(KEPT_DAYS), AT_ONCE);
    for (const { tenant_id, id } of old) {
      if (signal.aborted) return;
      await rm(fileOf(needs, tenant_id, id), { force: true });
      await store.deleteRecording(needs.system, tenant_id, id);
    }
    isMore = old.length === AT_ONCE;
  }
  const root = join(needs.config.data_dir, "recordings");
  for (const tenant of await readdir(root).catch(() => [])) {
    if (signal.aborted) return;
    await sweep(needs, join(root, tenant));
  }
}

async function sweep({ system, clock }: Needs, folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".cast"));
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const known = await store.findKnown(
      system,
      some.map((name) => name.slice(0, -".cast".length)),
    );
    for (const name of some) {
      if (known.has(name.slice(0, -".cast".length))) continue;
      const path = join(folder, name);
      const age = clock.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? clock.now());
      if (age > YOUNG_MS) await rm(path, { force: true });
    }
  }
}
