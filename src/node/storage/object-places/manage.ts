import { toIso } from "../../../lib/clock.ts";
import { createGate } from "../../../lib/gate.ts";
import { parseJson } from "../../../lib/json.ts";
import { DRIVE_BUCKET, type Driver } from "../objects/index.ts";
import { fail, type Place, type PlaceInput, type PlaceTest } from "./contract.ts";
import type { Http } from "./http.ts";
import type { By, Needs } from "./needs.ts";
import { isPlace, nameOf, type OuterPlace } from "./places.ts";
import { readInput } from "./read-input.ts";
import * as store from "./store.ts";

const PURPOSE = "object place";

/** Where objects are kept, and how that is changed. */
export interface Places {
  /** Who keeps the objects instead of this server; null while it does. Throws where its secrets do not open. */
  driver(): Promise<Driver | null>;
  show(): Place;
  test(input: PlaceInput): Promise<PlaceTest>;
  /** Throws `invalid_request`, `objstore_place_unfit`, `objstore_migration_in_progress`. Moves no object. */
  change(by: By, input: PlaceInput): Promise<Place>;
}

export function createPlaces(needs: Needs): Places {
  const { db, seal, bus, log, clock, ownPorts, objectStore, objects } = needs;
  /** One change at a time: each makes and removes keys. */
  const gate = createGate(1);
  let http: Http | null = null;
  let known: { sealed: string; driver: Promise<Driver> } | null = null;

  // Most nodes keep their objects themselves and load none of this.
  const outer = () => import("./outer.ts");

  async function getHttp(): Promise<Http> {
    http ??= (await outer()).createHttp(clock, ownPorts);
    return http;
  }

  /** Null where its secrets do not open. */
  function open({ place }: store.PlaceRow): OuterPlace | null {
    try {
      const opened = parseJson(seal.open(PURPOSE, place));
      return isPlace(opened) ? opened : null;
    } catch (error) {
      log.error("what opens the place of the objects does not open itself", { error });
      return null;
    }
  }

  function current(): OuterPlace | null {
    const row = store.findPlace(db);
    return row === null ? null : open(row);
  }

  async function makeDriver(row: store.PlaceRow): Promise<Driver> {
    const place = open(row);
    if (place === null)
      throw fail("objstore_place_refused", {
        place: "The place of the objects",
        reason: "what opens it was sealed under another node key. Choose the place anew under Where objects are kept.",
      });
    const { createGarageDriver, createS3Driver } = await outer();
    const found = await getHttp();
    return place.kind === "garage" ? createGarageDriver(needs, place, found) : createS3Driver(needs, place, found);
  }

  function show(): Place {
    const row = store.findPlace(db);
    const place = row === null ? null : open(row);
    const kind = row === null ? "embedded" : row.kind === "garage" ? "garage" : "s3";
    return {
      kind,
      admin_url: place?.kind === "garage" ? place.admin_url : null,
      endpoint: place?.endpoint ?? null,
      region: place?.region ?? null,
      access_key: place?.kind === "s3" ? place.access_key : null,
      bucket: place?.kind === "s3" ? place.bucket : null,
      changed_at: row?.changed_at ?? null,
      buckets_here: objectStore.listBuckets().filter(({ name }) => name !== DRIVE_BUCKET).length,
    };
  }

  /** Takes back the key that the node made for itself at a place that it leaves. */
  async function leave(place: OuterPlace | null): Promise<void> {
    if (place?.kind !== "garage") return;
    const { createGarageAdmin } = await outer();
    try {
      await createGarageAdmin(place.admin_url, place.admin_token, await getHttp()).deleteKey(place.access_key);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn("the key of this node stays at a Garage cluster", {
        key: place.access_key,
        place: nameOf(place),
        reason,
      });
    }
  }

  function requireQuiet(): void {
    for (const hold of objects.holds.all()) {
      const refusal = hold({ bucket: null });
      if (refusal !== null) throw refusal;
    }
  }

  async function change(by: By, input: PlaceInput): Promise<Place> {
    requireQuiet();
    const before = current();
    const row = store.findPlace(db);
    const asked = readInput(input, before, ownPorts);
    const next = asked === null ? null : await (await outer()).takePlace(asked, await getHttp(), needs);
    db.tx(() => {
      store.deleteUploads(db);
      if (next === null) store.deletePlace(db);
      else {
        const sealed = seal.seal(PURPOSE, JSON.stringify(next));
        store.putPlace(db, { kind: next.kind, place: sealed, changed_at: toIso(clock.now()) });
      }
      const told = { kind: next?.kind ?? "embedded", before: row?.kind ?? "embedded" };
      bus.emit("objects.place_changed", { ...by, ...told, place: next === null ? "this server" : nameOf(next) });
    });
    known = null;
    if (before !== null && before.access_key !== next?.access_key) await leave(before);
    return show();
  }

  return {
    async driver() {
      const row = store.findPlace(db);
      if (row === null) return null;
      if (known?.sealed !== row.place) {
        const driver = makeDriver(row);
        known = { sealed: row.place, driver };
        // What does not open now may be chosen anew in a moment.
        driver.catch(() => {
          known = null;
        });
      }
      return await known.driver;
    },
    show,
    async test(input) {
      const place = readInput(input, current(), ownPorts);
      if (place === null)
        return { ok: true, words: "This server keeps objects itself.", next_step: null, warnings: [] };
      const { testPlace } = await outer();
      return await testPlace(place, await getHttp(), clock);
    },
    change: (by, input) => gate(() => change(by, input)),
  };
}
