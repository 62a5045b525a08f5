import type { Asker } from "../../platform/operations/index.ts";
import { fail, type Policy, type PolicyInput } from "./contract.ts";
import { findDumps } from "./dumps.ts";
import type { Own } from "./needs.ts";
import { findPolicy, listPolicies, type Mode, writePolicy } from "./policy-store.ts";

/** What a template means. A dumped database is paused for its files, too: so it comes back as after a power cut, which it is made for. */
const BY_TEMPLATE = { dump: "pause", pause: "pause", stop: "stop", live: "none" } as const;

/** How the data of an app is copied. Throws `app_not_found`. */
export const modeOf = ({ db, apps }: Pick<Own, "db" | "apps">, appId: string): Mode =>
  findPolicy(db, appId) ?? BY_TEMPLATE[apps.backupOf(appId).consistency];

/** Every app with how it is copied. */
export function listAppPolicies(own: Pick<Own, "db" | "apps">): Policy[] {
  const chosen = new Map(listPolicies(own.db).map(({ app_id, mode }) => [app_id, mode]));
  return own.apps.list().map(({ id, name }) => ({
    app: id,
    name,
    mode: chosen.get(id) ?? null,
    usual: BY_TEMPLATE[own.apps.backupOf(id).consistency],
    dumps: findDumps(own, id).map(({ service, dumper }) => ({ service, kind: dumper })),
  }));
}

/** Chooses how an app is copied; null is as its template says. Throws `backup_app_unknown`. */
export function choosePolicy(own: Own, by: Asker, app: string, { mode }: PolicyInput): Policy {
  const find = () => listAppPolicies(own).find((policy) => policy.app === app);
  if (find() === undefined) throw fail("backup_app_unknown", { app });
  own.db.tx(() => {
    writePolicy(own.db, app, mode);
    own.bus.emit("backup_policy.changed", { ...by, app, mode });
  });
  const policy = find();
  if (policy === undefined) throw fail("backup_app_unknown", { app });
  return policy;
}
