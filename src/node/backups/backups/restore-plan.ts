import type { Snapshot } from "../engine/index.ts";
import { describeHalf } from "./half-copies.ts";
import { planLoads } from "./load-dump.ts";
import type { Own } from "./needs.ts";
import { readWish } from "./restore.ts";
import { withTarget } from "./restore-app.ts";
import type { RestoredApp, RestoreInput, RestorePlan } from "./restore-contract.ts";

function notesOf(own: Own, snapshot: Snapshot, app: string, hasDumps: boolean): string[] {
  const { name, version } = own.apps.get(app);
  const then = snapshot.apps.find(({ id }) => id === app);
  const notes: string[] = then?.half === true ? [describeHalf(then)] : [];
  if (then !== undefined && then.version !== version)
    notes.push(
      `It was version ${then.version} then and is ${version} now. ${name} has to make its data fit when it starts.`,
    );
  if (then?.mode === "none")
    notes.push(
      hasDumps
        ? "It went on while it was copied, so its databases come back from what they wrote into the backup."
        : "It went on while it was copied, so files that it wrote at that moment may be half there.",
    );
  return notes;
}

function foresee(own: Own, snapshot: Snapshot, app: string): RestoredApp {
  const { name, version } = own.apps.get(app);
  const loads = planLoads(own, snapshot, app, app);
  const volumes = own.apps.volumesOf(app).map((volume) => {
    const part = snapshot.parts.find((one) => one.app === app && one.kind === "volume" && one.name === volume.name);
    const load = loads.find((one) => one.volumes.includes(volume.name));
    const from =
      load !== undefined ? ("dump" as const) : part !== undefined ? ("files" as const) : ("nothing" as const);
    const size_bytes = load?.part.size ?? part?.size ?? null;
    return { name: volume.name, from, size_bytes, service: load?.dump.service ?? null };
  });
  return {
    app,
    name,
    becomes: name,
    version,
    version_then: snapshot.apps.find(({ id }) => id === app)?.version ?? version,
    bytes_now: own.apps.diskBytes(app),
    volumes,
    ports: [],
    notes: notesOf(own, snapshot, app, loads.length > 0),
  };
}

/** What a restore would change. Throws what `POST /api/backups/{id}/restore` answers. */
export async function planRestore(own: Own, id: string, input: RestoreInput | null): Promise<RestorePlan> {
  const wish = readWish(own, id, input);
  const snapshot = await withTarget(own, wish.backup.target, (session) => session.snapshot(wish.backup.id));
  if (wish.mode === "over")
    return { mode: "over", apps: wish.apps.map((app) => foresee(own, snapshot, app)), to_confirm: [] };
  const { ports, to_confirm } = await own.apps.planClone(wish.app, wish.name, wish.permissions);
  const beside = {
    ...foresee(own, snapshot, wish.app),
    becomes: wish.name,
    ports: ports.map(({ service, container, host }) => ({ service, container, host })),
  };
  return { mode: "beside", apps: [beside], to_confirm };
}
