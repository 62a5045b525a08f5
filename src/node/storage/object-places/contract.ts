import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { LineText, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";
import { COMPONENT } from "../objects/contract.ts";

const Kind = t.UnionEnum(["embedded", "garage", "s3"]);

const address = t.Optional(t.String({ maxLength: 2_048 }));

/** Where objects are to be kept. What opens it may be left out where it stays the same as before. */
export const PlaceInput = t.Object(
  {
    kind: t.Union([t.Literal("embedded"), t.Literal("garage"), t.Literal("s3")]),
    /** Of the admin API of a Garage cluster, such as http://10.0.0.5:3903. */
    admin_url: address,
    admin_token: t.Optional(t.String({ maxLength: 512 })),
    /** Where it speaks S3. */
    endpoint: address,
    region: t.Optional(LineText(64)),
    /** Of a store that only speaks S3. */
    access_key: t.Optional(t.String({ maxLength: 128 })),
    secret_key: t.Optional(t.String({ maxLength: 256 })),
    /** The one bucket of a key that may not list them. */
    bucket: t.Optional(t.String({ maxLength: 63 })),
  },
  { additionalProperties: false },
);
export type PlaceInput = Static<typeof PlaceInput>;

/** Where objects are kept, without what opens it. */
export const Place = t.Object({
  kind: Kind,
  admin_url: NullableText,
  endpoint: NullableText,
  region: NullableText,
  access_key: NullableText,
  bucket: NullableText,
  changed_at: NullableText,
  /** Buckets of programs that this server holds, whoever keeps the objects now. */
  buckets_here: t.Integer(),
});
export type Place = Static<typeof Place>;

/** What came of asking a place. */
export const PlaceTest = t.Object({
  ok: t.Boolean(),
  words: t.String(),
  next_step: NullableText,
  /** What people should know of it that does not keep it from being used. */
  warnings: t.Array(t.String()),
});
export type PlaceTest = Static<typeof PlaceTest>;

export const fail = defineErrors({
  objstore_place_unfit: [400, "Objects cannot be kept there: {reason} {next_step}"],
  objstore_place_cannot: [409, "{what} cannot be done while objects are kept at {place}: {reason}"],
  objstore_keys_elsewhere: [
    409,
    "Objects are kept at {place}, which makes its own access keys: Orrery has one of them and cannot make, list or test others there. Do that where the store is run, or keep objects on this server or in a Garage cluster.",
  ],
  objstore_place_refused: [502, "It was refused by {place}: {reason}"],
  objstore_place_too_old: [
    502,
    "There is no admin API of version 2 at {place}, which Garage has since 2.0. Update the cluster, or look whether the address is that of its admin API.",
  ],
  objstore_place_away: [
    503,
    "There is no answer from {place}: {reason} See that it runs and that this server reaches it, then try again.",
  ],
});

export type PlaceEvents = {
  "objects.place_changed": { user_id: string; ip: string; kind: string; before: string; place: string };
};

const changes = admin(null, { component: COMPONENT });
/** Where data goes is for people to say. */
const byPeople = admin(null, { component: COMPONENT, keys: "never" });

export const placeRoutes = defineRoutes({
  "GET /api/objects/place": { access: changes, out: Place },
  "PUT /api/objects/place": { access: byPeople, body: PlaceInput, out: Place },
  "POST /api/objects/place/test": { access: byPeople, body: PlaceInput, out: PlaceTest },
});
export type PlaceApi = ApiOf<typeof placeRoutes>;
