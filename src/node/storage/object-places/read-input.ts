import { kernelFail } from "../../../kernel/http/errors.ts";
import { findFault } from "../../../kernel/outgoing/named-servers.ts";
import type { PlaceInput } from "./contract.ts";
import type { OuterPlace } from "./places.ts";

/** Older stores have names that new buckets may not have. */
const BUCKET = /^[A-Za-z0-9._-]{3,63}$/;
const REGION = /^[a-zA-Z0-9_-]+$/;
/** What Garage calls its region where nobody says another, and what other stores do. */
const USUAL_REGIONS = { garage: "garage", s3: "us-east-1" } as const;

const wrong = (field: string, reason: string) => kernelFail("invalid_request", { field, reason });

function need(input: PlaceInput, field: "endpoint" | "admin_url" | "access_key"): string {
  const value = input[field]?.trim() ?? "";
  if (value === "") throw wrong(field, `is needed for ${input.kind === "garage" ? "a Garage cluster" : "an S3 store"}`);
  return value;
}

/** An address that may be called, without a slash at its end. */
function needAddress(input: PlaceInput, field: "endpoint" | "admin_url", ownPorts: ReadonlySet<number>): string {
  const typed = need(input, field);
  const fault = findFault(typed, ownPorts);
  if (fault !== null) throw wrong(field, fault);
  const url = new URL(typed);
  if (url.search !== "" || url.hash !== "") throw wrong(field, "must not have a question mark or a hash");
  return url.href.replace(/\/+$/, "");
}

/** What opens a place: given, or the one that opened the same address before. It never goes to another address. */
function needSecret(input: PlaceInput, field: "admin_token" | "secret_key", before: string | null): string {
  const value = input[field]?.trim() ?? "";
  if (value === "" && before === null) throw wrong(field, "is needed");
  if (/[^\x21-\x7e]/.test(value)) throw wrong(field, "must be letters, digits and signs without blanks");
  return value === "" ? (before ?? "") : value;
}

/** The place that is asked for; null for this server. What is left out is that of `before`. Throws `invalid_request`. */
export function readInput(
  input: PlaceInput,
  before: OuterPlace | null,
  ownPorts: ReadonlySet<number>,
): OuterPlace | null {
  const { kind } = input;
  if (kind === "embedded") return null;
  const endpoint = needAddress(input, "endpoint", ownPorts);
  const region = input.region?.trim() || USUAL_REGIONS[kind];
  if (!REGION.test(region)) throw wrong("region", "must be letters, digits, dashes and underscores");
  if (kind === "s3") {
    const access_key = need(input, "access_key");
    const isSame = before?.kind === "s3" && before.endpoint === endpoint && before.access_key === access_key;
    const secret_key = needSecret(input, "secret_key", isSame ? before.secret_key : null);
    const bucket = input.bucket?.trim() || null;
    if (bucket !== null && !BUCKET.test(bucket))
      throw wrong("bucket", "must be 3 to 63 letters, digits, dots, dashes and underscores");
    return { kind, endpoint, region, access_key, secret_key, bucket };
  }
  const admin_url = needAddress(input, "admin_url", ownPorts);
  const known = before?.kind === "garage" && before.admin_url === admin_url ? before : null;
  const admin_token = needSecret(input, "admin_token", known?.admin_token ?? null);
  const isSame = known?.endpoint === endpoint;
  const own = isSame
    ? { access_key: known.access_key, secret_key: known.secret_key }
    : { access_key: "", secret_key: "" };
  return { kind, admin_url, admin_token, endpoint, region, ...own };
}
