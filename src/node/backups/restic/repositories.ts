import { rmSync } from "node:fs";
import { sealRows } from "../../../kernel/seal.ts";
import { toIso } from "../../../lib/clock.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { causeOf, closedPorts, codeOf, describePlace, makePlace } from "../backups/index.ts";
import type { TargetPlace } from "../engine/index.ts";
import { fail, type ResticInput, type ResticRepository } from "./contract.ts";
import { refuse } from "./failures.ts";
import { endHeld, indexFiles } from "./held.ts";
import type { Own } from "./needs.ts";
import { startRestic } from "./session.ts";
import * as store from "./store.ts";

const MOST = 20;
const OPENING = "restic repository";

/** What opens a repository, as it is sealed. */
interface Opening {
  place: TargetPlace;
  password: string;
}

const present = ({ id, type, name, path, version, created_at, read_at }: store.ResticRow): ResticRepository => ({
  ...{ id, type, name, path, version, created_at, read_at },
});

/** By name. */
export const listRepositories = ({ db }: Pick<Own, "db">): ResticRepository[] =>
  store.listRepositories(db).map(present);

/** Throws `restic_not_found`. */
export function getRepository({ db }: Pick<Own, "db">, id: string): store.ResticRow {
  const row = store.findRepository(db, id);
  if (row === null) throw fail("restic_not_found");
  return row;
}

/** What opens it now. */
export function openingOf(own: Pick<Own, "seal" | "ownPorts" | "objects">, row: store.ResticRow): Opening {
  const { place, password }: Opening = JSON.parse(sealRows(own.seal, OPENING).open(row.id, row.opening));
  return { place: place.type === "local" ? place : { ...place, own_ports: closedPorts(own) }, password };
}

/** The version of the repository at a place, when it can be opened. */
async function tryOpening(place: TargetPlace, password: string): Promise<number> {
  const session = startRestic();
  try {
    return await session.open(place, password, null);
  } catch (error) {
    if (codeOf(error) === "host_unknown" && place.type === "sftp") {
      const fingerprint = causeOf(error).match(/SHA256:[\w+/]+/)?.[0] ?? "";
      throw fail("restic_host_key", { host: place.host, fingerprint });
    }
    throw refuse(error, describePlace(place));
  } finally {
    session.end();
  }
}

/** Attaches a repository that can be opened. Throws what `POST /api/backup/restic` answers. */
export async function attach(own: Own, by: Asker, input: ResticInput): Promise<ResticRepository> {
  const { db, seal, ids, clock, bus } = own;
  const { repository_password: password, ...target } = input;
  const place = makePlace(own, target);
  const path = describePlace(place);
  const assertFree = () => {
    const known = store.listRepositories(db);
    if (known.length >= MOST) throw fail("restic_many", { limit: MOST });
    if (known.some((one) => one.path === path)) throw fail("restic_taken", { what: path });
    if (known.some(({ name }) => name === input.name)) throw fail("restic_taken", { what: input.name });
  };
  assertFree();
  const version = await tryOpening(place, password);
  assertFree();
  const opening: Opening = { place, password };
  const id = ids.next("rst");
  const row: store.ResticRow = {
    id,
    type: input.type,
    name: input.name,
    path,
    opening: sealRows(seal, OPENING).seal(id, JSON.stringify(opening)),
    version,
    created_at: toIso(clock.now()),
    read_at: null,
  };
  db.tx(() => {
    store.insertRepository(db, row);
    bus.emit("restic.attached", { ...by, restic_id: row.id, name: row.name, path });
  });
  return present(row);
}

/** Forgets a repository, and what is known of it; the repository stays as it is. */
export function detach(own: Own, by: Asker, id: string): string {
  const { name } = getRepository(own, id);
  if (own.reading.has(id)) throw fail("restic_busy");
  own.db.tx(() => {
    store.deleteRepository(own.db, id);
    own.bus.emit("restic.detached", { ...by, restic_id: id, name });
  });
  endHeld(own, id);
  for (const file of indexFiles(own, id)) rmSync(file, { force: true });
  return name;
}
