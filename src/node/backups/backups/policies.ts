import type { Asker } from "../../platform/operations/index.ts";
import { fail, type Policy, type PolicyInput } from "./contract.ts";
import { findDumps } from "./dumps.ts";
import type { Own } from "./needs.ts";
import { findPolicy, type Halting, listPolicies, type Mode, writePolicy } from "./policy-store.ts";
import { whyNoSnapshot } from "./snapshots.ts";

/** What a template means. A dumped database is paused for its files, too: so it comes back as after a power cut, which it is made for. */
const BY_TEMPLATE = { dump: "pause", pause: "pause", stop: "stop", live: "none" } as const;

/** How the data of an app is copied where nobody chose. Throws `app_not_found`. */
export const usualOf = ({ apps }: Pick<Own, "apps">, appId: string): Halting =>
  BY_TEMPLATE[apps.backupOf(appId).consistency];

/** How the data of an app is copied. Throws `app_not_found`. */
export const modeOf = (own: Pick<Own, "db" | "apps">, appId: string): Mode =>
  findPolicy(own.db, appId) ?? usualOf(own, appId);

/** Every app with how it is copied. */
export async function listAppPolicies(own: Pick<Own, "db" | "apps" | "runtime">): Promise<Policy[]> {
  const no_snapshot = await whyNoSnapshot(own);
  const chosen = new Map(listPolicies(own.db).map(({ app_id, mode }) => [app_id, mode]));
  return own.apps.list().map(({ id, name }) => ({
    app: id,
    name,
    mode: chosen.get(id) ?? null,
    usual: usualOf(own, id),
    no_snapshot,
    dumps: findDumps(own, id).map(({ service, dumper }) => ({ service, kind: dumper })),
  }));
}

/** Chooses how an app is copied; null is as its template says. Throws `backup_app_unknown` and `backup_snapshot_unfit`. */
export async function choosePolicy(own: Own, by: Asker, app: string, { mode }: PolicyInput): Promise<Policy> {
  const find = async () => (await listAppPolicies(own)).find((policy) => policy.app === app);
  const before = await find();
  if (before === undefined) throw fail("backup_app_unknown", { app });
  if (mode === "snapshot" && before.no_snapshot !== null)
    throw fail("backup_snapshot_unfit", { reason: before.no_snapshot });
  own.db.tx(() => {
    writePolicy(own.db, app, mode);
    own.bus.emit("backup_policy.changed", { ...by, app, mode });
  });
  const policy = await find();
  if (policy === undefined) throw fail("backup_app_unknown", { app });
  return policy;
}
