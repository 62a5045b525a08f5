import { Value } from "@sinclair/typebox/value";
import { atMost } from "../../../kernel/http/bounded-body.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { NameText } from "../../../kernel/http/schema.ts";
import { MAX_FILE_BYTES } from "../drive/index.ts";
import { namesOf } from "./addresses.ts";
import { requireMatch, shownTokens, tagOf } from "./conditions.ts";
import { fail } from "./contract.ts";
import { requireUnlocked } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { isFolder, newPlaceOf, type Place, resolve } from "./resolve.ts";

const Name = NameText(255);
const LARGE_BYTES = 16 * 1024 * 1024;

/** A place with a name that the Drive takes. Throws `dav_no_parent`, `invalid_request`. */
export function namedPlace(place: Place): { parentId: string | null; name: string } {
  const named = newPlaceOf(place);
  if (!Value.Check(Name, named.name))
    throw kernelFail("invalid_request", {
      field: "name",
      reason: "must be one line of at most 255 characters, without invisible and control characters",
    });
  return named;
}

const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** How many bytes are to come: macOS says it beside a body whose length is open. */
const expectedOf = (headers: Headers): number | null =>
  numberOf(headers.get("content-length")) ?? numberOf(headers.get("x-expected-entity-length"));

/**
 * Stores a file as it comes; nobody sees any of it before all is on disk. What was there becomes a version. Throws `dav_is_folder`,
 * `dav_no_parent`, `dav_precondition`, `dav_locked`, `dav_incomplete` and what the Drive refuses a place for.
 */
export async function answerPut(needs: Needs, asked: Asked): Promise<Response> {
  const { by, headers } = asked;
  const names = namesOf(asked.path);
  if (headers.has("content-range"))
    throw kernelFail("invalid_request", {
      field: "content-range",
      reason: "cannot be given: a file is sent as a whole",
    });
  if (!["identity", null].includes(headers.get("content-encoding"))) throw fail("dav_body_unknown");
  const check = () => {
    const place = resolve(needs, by.user_id, names);
    if (isFolder(place)) throw fail("dav_is_folder");
    const isNew = place.node === null;
    // Looked at before its conditions: they would say the same of what cannot be there at all.
    const at = isNew ? namedPlace(place) : { parentId: place.node?.parent_id ?? null, name: place.node?.name ?? "" };
    const shown = shownTokens(needs, asked);
    requireMatch(asked, place, !isNew);
    requireUnlocked(needs, by.user_id, place, shown, { self: true, inParent: isNew });
    return { at, isNew };
  };
  const expected = expectedOf(headers);
  const { at } = check();
  // The store looks for room by itself; what is large is told before it is sent in vain.
  const isLarge = expected !== null && expected > LARGE_BYTES;
  const space = isLarge ? await needs.host.ownSpace(needs.config.data_dir) : null;
  if (expected !== null && space !== null && space.free < expected) throw kernelFail("disk_full");
  let isNew = false;
  const file = await needs.drive.receive(by, at, atMost(asked.body, MAX_FILE_BYTES), {
    async check(received) {
      if (expected !== null && received !== expected) throw fail("dav_incomplete", { expected, received });
      // It may have taken hours, and what let somebody in may have ended since.
      if (!(await asked.isStillAllowed())) throw kernelFail("unauthorized");
    },
    // Others were busy while the bytes came, so all is looked at again.
    before() {
      ({ isNew } = check());
    },
  });
  return new Response(null, { status: isNew ? 201 : 204, headers: { etag: tagOf(file.sha256 ?? "") } });
}
