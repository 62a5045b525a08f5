import { type Static, t } from "elysia";

const reached = {
  /** Where it speaks S3, without a slash at its end. */
  endpoint: t.String(),
  region: t.String(),
  access_key: t.String(),
  secret_key: t.String(),
};

/** A Garage cluster. The key is one that this node made for itself there; it is empty before it did. */
const GaragePlace = t.Object({
  kind: t.Literal("garage"),
  admin_url: t.String(),
  admin_token: t.String(),
  ...reached,
});
export type GaragePlace = Static<typeof GaragePlace>;

/** A store that speaks S3, with a key that somebody made there. */
const S3Place = t.Object({
  kind: t.Literal("s3"),
  ...reached,
  /** The one that there is to see, for keys that may not list buckets; null for all that they list. */
  bucket: t.Union([t.String(), t.Null()]),
});
export type S3Place = Static<typeof S3Place>;

/** A place elsewhere, with what opens it; sealed as JSON. */
export const OuterPlace = t.Union([GaragePlace, S3Place]);
export type OuterPlace = Static<typeof OuterPlace>;

/** What people call it. */
export const nameOf = ({ kind, endpoint }: OuterPlace): string =>
  `${kind === "garage" ? "the Garage cluster" : "the S3 store"} ${new URL(endpoint).host}`;
