import { toIso } from "../../../lib/clock.ts";
import type { Asker } from "../../platform/operations/index.ts";
import type { RegistryLogin } from "../runtime/index.ts";
import { checkReach, normalizeAddress } from "./address.ts";
import { fail, type Registry, type RegistryInput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

type Deps = Pick<Needs, "db" | "clock" | "ids" | "seal" | "bus">;

const MOST_REGISTRIES = 50;

/** Bound to the address, so that a login that was put into the row of another registry does not open. */
const purposeOf = (address: string): string => `registry:${address}`;

const present = ({ id, address, username, created_at }: store.RegistryRow): Registry => ({
  id,
  address,
  username,
  created_at,
});

/** The row of a registry. Throws `registry_not_found`. */
export function getRow({ db }: Pick<Deps, "db">, id: string): store.RegistryRow {
  const row = store.findRegistry(db, id);
  if (!row) throw fail("registry_not_found", { id });
  return row;
}

/** The login of a row in clear. Throws when it was sealed under another key. */
export const openLogin = ({ seal }: Pick<Deps, "seal">, row: store.RegistryRow): RegistryLogin => ({
  registry: row.address,
  username: row.username,
  password: seal.open(purposeOf(row.address), row.secret),
});

/** All registries by their address, without passwords. */
export const listRegistries = ({ db }: Pick<Deps, "db">): Registry[] => store.listRegistries(db).map(present);

/** Keeps a login. Throws `invalid_request`, `registry_private`, `registry_taken`, `registry_limit`. */
export async function addRegistry(deps: Deps, by: Asker, input: RegistryInput): Promise<Registry> {
  const { db, clock, ids, seal, bus } = deps;
  const address = normalizeAddress(input.address);
  await checkReach(address, input.confirm_private ?? false);
  return db.tx(() => {
    const others = store.listRegistries(db);
    if (others.some((other) => other.address === address)) throw fail("registry_taken", { address });
    if (others.length >= MOST_REGISTRIES) throw fail("registry_limit", { limit: MOST_REGISTRIES });
    const row = {
      id: ids.next("reg"),
      address,
      username: input.username,
      secret: seal.seal(purposeOf(address), input.secret),
      created_at: toIso(clock.now()),
    };
    store.insertRegistry(db, row);
    const { user_id, ip } = by;
    bus.emit("registry.added", { user_id, ip, registry_id: row.id, address, username: row.username });
    return present(row);
  });
}

/** Forgets a login; returns the registry's address. Throws `registry_not_found`. */
export function removeRegistry({ db, bus }: Deps, { user_id, ip }: Asker, id: string): string {
  return db.tx(() => {
    const { address } = getRow({ db }, id);
    store.deleteRegistry(db, id);
    bus.emit("registry.removed", { user_id, ip, registry_id: id, address });
    return address;
  });
}

/** Every login in clear; one that was sealed under another key is left out and said. */
export function listLogins({ db, seal, log }: Pick<Needs, "db" | "seal" | "log">): RegistryLogin[] {
  return store.listRegistries(db).flatMap((row) => {
    try {
      return [openLogin({ seal }, row)];
    } catch (error) {
      log.error("the login of a registry does not open", { registry: row.address, error });
      return [];
    }
  });
}
