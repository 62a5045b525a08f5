import type { Belongings } from "../../base.ts";
import type { Along, Kept } from "../drive/index.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./property-store.ts";

/** What one file or folder keeps for programs, in number and all together: a listing has that of two hundred at a time. */
const MAX_PROPERTIES = 200;
const MAX_PROPERTY_BYTES = 64 * 1024;
/** What the rows of a Drive take: they lie in the node's own database, and a copy of a folder has them once more. */
const MAX_DRIVE_BYTES = 64 * 1024 * 1024;
/** Rows that are touched in one transaction: everybody waits for it. */
const AT_ONCE = 500;

type Reads = Pick<Needs, "db">;

const tooMany = () =>
  fail("dav_property_limit", {
    limit: MAX_PROPERTIES,
    size_bytes: MAX_PROPERTY_BYTES,
    drive_bytes: MAX_DRIVE_BYTES,
  });

/** Refuses a change that sets so many properties at once. Throws `dav_property_limit`. */
export function requireFew(count: number): void {
  if (count > MAX_PROPERTIES) throw tooMany();
}

/** Refuses a change after which a file or folder would keep too much. Inside its transaction. Throws `dav_property_limit`. */
export function requireWithin({ db }: Reads, userId: string, nodeId: string | null): void {
  const { count, size_bytes } = store.measureProperties(db, userId, nodeId);
  if (count > MAX_PROPERTIES || size_bytes > MAX_PROPERTY_BYTES) throw tooMany();
}

/** Refuses what takes so much more of a Drive whose properties take that already. Throws `dav_property_limit`. */
export function requireRoom(before: number, more: number): void {
  if (more > 0 && before + more > MAX_DRIVE_BYTES) throw tooMany();
}

/** Properties as what is copied along with files and folders. */
export const propertiesAlong = ({ db }: Reads, userId: string): Along => ({
  count: (ids, limit) => store.countProperties(db, ids, limit),
  sizeOf: (ids) => store.sizeOfProperties(db, ids),
  requireRoom: (more) => requireRoom(store.findSum(db, userId), more),
  copied: (from, to) => store.copyProperties(db, userId, from, to),
});

/** Properties as what goes with files and folders. */
export const propertiesKept = ({ db }: Reads): Kept => ({
  count: (ids, limit) => store.countProperties(db, ids, limit),
  remove: (ids, limit) => store.deletePropertiesOf(db, ids, limit),
});

/** The properties of people as what goes with their accounts. */
export const propertyBelongings = ({ db, signal }: Pick<Needs, "db" | "signal">): Belongings => ({
  tell: () => null,
  isLarge: (userId) => store.countOwned(db, userId, AT_ONCE) === AT_ONCE,
  async clear(userId) {
    while (!signal.aborted && (await db.txAside(() => store.deleteOwned(db, userId, AT_ONCE))) === AT_ONCE);
  },
});
