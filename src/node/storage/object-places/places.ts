import { isRecord } from "../../../lib/json.ts";

/** What every place is reached by. */
interface Reached {
  /** Where it speaks S3, without a slash at its end. */
  endpoint: string;
  region: string;
  access_key: string;
  secret_key: string;
}

/** A Garage cluster. The key is one that this node made for itself there; it is empty before it did. */
export interface GaragePlace extends Reached {
  kind: "garage";
  admin_url: string;
  admin_token: string;
}

/** A store that speaks S3, with a key that somebody made there. */
export interface S3Place extends Reached {
  kind: "s3";
  /** The one that there is to see, for keys that may not list buckets; null for all that they list. */
  bucket: string | null;
}

/** A place elsewhere, with what opens it; sealed as JSON. */
export type OuterPlace = GaragePlace | S3Place;

const REACHED = ["endpoint", "region", "access_key", "secret_key"];

/** Whether this is a place as it was sealed. By hand, so that nodes which keep their objects load nothing for it. */
export function isPlace(value: unknown): value is OuterPlace {
  if (!isRecord(value)) return false;
  const hasTexts = (names: readonly string[]) => names.every((name) => typeof value[name] === "string");
  if (!hasTexts(REACHED)) return false;
  if (value["kind"] === "garage") return hasTexts(["admin_url", "admin_token"]);
  return value["kind"] === "s3" && (value["bucket"] === null || typeof value["bucket"] === "string");
}

/** What people call it. */
export const nameOf = ({ kind, endpoint }: OuterPlace): string =>
  `${kind === "garage" ? "the Garage cluster" : "the S3 store"} ${new URL(endpoint).host}`;
