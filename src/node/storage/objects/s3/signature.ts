import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { minutes } from "../../../../lib/duration.ts";
import type { AccessTable, KnownKey } from "../access-table.ts";
import { S3Problem } from "./problem.ts";
import { escapeBytes, header, param, type Wire } from "./wire.ts";

/** Who signed a request, and what goes on being signed in its body. */
export interface Signed {
  key: KnownKey;
  /** What the signature says of the body: its SHA-256 in hex, or how it is sent. */
  payload: string;
  signature: string;
  /** Of the signature's own day, region and service. */
  signingKey: Buffer;
  scope: string;
  date: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const MAX_SKEW_MS = minutes(15);
const MAX_EXPIRES_S = 604_800;
const MAX_CACHED_KEYS = 500;

const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string): string => createHash("sha256").update(text, "latin1").digest("hex");

interface Claims {
  accessKey: string;
  day: string;
  region: string;
  signedHeaders: string[];
  signature: string;
  date: string;
  /** Null for a signature in the header. */
  expiresS: number | null;
}

const CREDENTIAL = /^([^/\s]{1,128})\/(\d{8})\/([^/\s]{1,64})\/s3\/aws4_request$/;
const NOT_V4 =
  "Only signature version 4 is understood. Set the client to it (s3cmd: signature_v2 = False, and no signurl).";

function readHeaderClaims(wire: Wire, authorization: string): Claims {
  if (!authorization.startsWith(`${ALGORITHM} `)) throw new S3Problem("InvalidRequest", NOT_V4);
  const fields = new Map(
    authorization
      .slice(ALGORITHM.length)
      .split(",")
      .map((part) => part.trim().split("=", 2))
      .map(([name = "", value = ""]) => [name, value]),
  );
  const [, accessKey, day, region] = CREDENTIAL.exec(fields.get("Credential") ?? "") ?? [];
  const signedHeaders = fields.get("SignedHeaders")?.split(";");
  const signature = fields.get("Signature");
  if (accessKey === undefined || day === undefined || region === undefined)
    throw new S3Problem("AuthorizationHeaderMalformed");
  if (signedHeaders === undefined || signature === undefined) throw new S3Problem("AuthorizationHeaderMalformed");
  const date = header(wire, "x-amz-date") ?? dateOf(header(wire, "date"));
  return { accessKey, day, region, signedHeaders, signature, date, expiresS: null };
}

/** A Date header as signatures write moments. */
function dateOf(text: string | null): string {
  const at = Date.parse(text ?? "");
  if (Number.isNaN(at)) throw new S3Problem("AccessDenied", "The request says no date, with x-amz-date.");
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function readQueryClaims(wire: Wire): Claims {
  if (param(wire, "X-Amz-Algorithm") !== ALGORITHM) throw new S3Problem("AuthorizationQueryParametersError", NOT_V4);
  const [, accessKey, day, region] = CREDENTIAL.exec(param(wire, "X-Amz-Credential") ?? "") ?? [];
  const signedHeaders = param(wire, "X-Amz-SignedHeaders")?.split(";");
  const signature = param(wire, "X-Amz-Signature");
  const date = param(wire, "X-Amz-Date");
  const expires = param(wire, "X-Amz-Expires") ?? "";
  const expiresS = /^\d{1,7}$/.test(expires) ? Number(expires) : 0;
  if (accessKey === undefined || day === undefined || region === undefined || date === null)
    throw new S3Problem("AuthorizationQueryParametersError");
  if (signedHeaders === undefined || signature === null) throw new S3Problem("AuthorizationQueryParametersError");
  if (expiresS < 1 || expiresS > MAX_EXPIRES_S)
    throw new S3Problem("AuthorizationQueryParametersError", "X-Amz-Expires must be 1 to 604800 seconds.");
  return { accessKey, day, region, signedHeaders, signature, date, expiresS };
}

/** Milliseconds since 1970 of 20260131T235959Z. */
function momentOf(date: string): number {
  const [, ...parts] = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(date) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at)) throw new S3Problem("AccessDenied", "The date of the signature is none.");
  return at;
}

function checkTime({ date, day, expiresS }: Claims, now: number): void {
  const at = momentOf(date);
  if (!date.startsWith(day))
    throw new S3Problem("AuthorizationHeaderMalformed", "The date and the credential name different days.");
  if (expiresS === null && Math.abs(now - at) > MAX_SKEW_MS) throw new S3Problem("RequestTimeTooSkewed");
  if (expiresS === null) return;
  if (at - now > MAX_SKEW_MS)
    throw new S3Problem("AccessDenied", "This link is not valid yet. Check the clock of whoever made it.");
  if (now > at + expiresS * 1000) throw new S3Problem("AccessDenied", "This link has expired. Make a new one.");
}

function canonicalQuery({ query }: Wire): string {
  if (query.length === 0) return "";
  const escaped = query
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [escapeBytes(Buffer.from(name), false), escapeBytes(Buffer.from(value), false)] as const);
  const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
  return escaped
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Headers that decide something must be signed, or somebody on the way could add them. */
function checkSignedHeaders({ headers }: Wire, { signedHeaders, expiresS }: Claims): void {
  const signed = new Set(signedHeaders);
  const open = [...headers.keys()].filter((name) => name.startsWith("x-amz-") && !signed.has(name));
  if (!signed.has("host")) throw new S3Problem("AccessDenied", "The header host must be signed.");
  // A link's body is free unless the link says otherwise, and so is its sum.
  const refused = open.filter((name) => expiresS === null || name !== "x-amz-content-sha256");
  if (refused.length > 0)
    throw new S3Problem("AccessDenied", "There were headers which were not signed.", {
      HeadersNotSigned: refused.join(", "),
    });
}

function payloadOf(wire: Wire, { expiresS, signedHeaders }: Claims): string {
  const given = header(wire, "x-amz-content-sha256");
  if (expiresS === null) {
    if (given === null) throw new S3Problem("InvalidRequest", "Missing required header: x-amz-content-sha256.");
    return given;
  }
  if (given !== null && signedHeaders.includes("x-amz-content-sha256")) return given;
  return param(wire, "X-Amz-Content-Sha256") ?? "UNSIGNED-PAYLOAD";
}

/** What tells who asks. */
export interface Signatures {
  /** Null for a request that has no signature. Throws the S3 code for one that is wrong. */
  check(wire: Wire): Signed | null;
  /** The same for a form, by the text of its fields; its policy says until when it is good. */
  checkForm(field: (name: string) => string | null): Signed;
}

/** Checks signatures against the keys of this node, at the moments that `now` says. */
export function createSignatures(access: AccessTable, now: () => number): Signatures {
  const cached = new Map<string, Buffer>();

  function signingKeyOf({ secret, accessKey }: KnownKey, day: string, region: string): Buffer {
    const name = `${accessKey}/${day}/${region}/${secret}`;
    const known = cached.get(name);
    if (known) return known;
    const made = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), "s3"), "aws4_request");
    if (cached.size >= MAX_CACHED_KEYS) cached.clear();
    cached.set(name, made);
    return made;
  }

  function check(wire: Wire): Signed | null {
    const authorization = header(wire, "authorization");
    if (param(wire, "AWSAccessKeyId") !== null) throw new S3Problem("InvalidRequest", NOT_V4);
    const isQuery = param(wire, "X-Amz-Algorithm") !== null || param(wire, "X-Amz-Signature") !== null;
    if (authorization === null && !isQuery) return null;
    if (authorization !== null && isQuery)
      throw new S3Problem("InvalidArgument", "Sign in the header or in the query, not in both.");
    const claims = authorization === null ? readQueryClaims(wire) : readHeaderClaims(wire, authorization);
    checkTime(claims, now());
    const key = access.find(claims.accessKey);
    if (key === null) throw new S3Problem("InvalidAccessKeyId");
    checkSignedHeaders(wire, claims);
    const payload = payloadOf(wire, claims);
    const lines = claims.signedHeaders.map(
      (name) => `${name}:${(header(wire, name) ?? "").trim().replace(/ +/g, " ")}\n`,
    );
    const canonical = [
      wire.method,
      wire.canonicalPath,
      canonicalQuery(wire),
      lines.join(""),
      claims.signedHeaders.join(";"),
      payload,
    ].join("\n");
    const scope = `${claims.day}/${claims.region}/s3/aws4_request`;
    const toSign = [ALGORITHM, claims.date, scope, sha256(canonical)].join("\n");
    const signingKey = signingKeyOf(key, claims.day, claims.region);
    const expected = hmac(signingKey, toSign).toString("hex");
    if (!isSame(expected, claims.signature))
      throw new S3Problem("SignatureDoesNotMatch", undefined, {
        AWSAccessKeyId: claims.accessKey,
        StringToSign: toSign,
        SignatureProvided: claims.signature,
        CanonicalRequest: canonical,
      });
    return { key, payload, signature: expected, signingKey, scope, date: claims.date };
  }

  function checkForm(field: (name: string) => string | null): Signed {
    const need = (name: string): string => {
      const value = field(name);
      if (value === null) throw new S3Problem("InvalidArgument", `Bucket POST must contain a field named '${name}'.`);
      return value;
    };
    if (field("awsaccesskeyid") !== null) throw new S3Problem("InvalidRequest", NOT_V4);
    const signature = need("x-amz-signature");
    if (need("x-amz-algorithm") !== ALGORITHM) throw new S3Problem("InvalidRequest", NOT_V4);
    const [, accessKey = "", day = "", region = ""] = CREDENTIAL.exec(need("x-amz-credential")) ?? [];
    const date = need("x-amz-date");
    if (accessKey === "" || !date.startsWith(day)) throw new S3Problem("AuthorizationQueryParametersError");
    const key = access.find(accessKey);
    if (key === null) throw new S3Problem("InvalidAccessKeyId");
    const signingKey = signingKeyOf(key, day, region);
    const policy = need("policy");
    if (!isSame(hmac(signingKey, policy).toString("hex"), signature))
      throw new S3Problem("SignatureDoesNotMatch", undefined, { AWSAccessKeyId: accessKey, StringToSign: policy });
    const scope = `${day}/${region}/s3/aws4_request`;
    return { key, payload: "UNSIGNED-PAYLOAD", signature, signingKey, scope, date };
  }

  return { check, checkForm };
}

/** Compares in the same time, wherever the difference is. */
export function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Signs what follows in a body of signed pieces. */
export const signNext = ({ signingKey, scope, date }: Signed, kind: string, ...rest: readonly string[]): string =>
  hmac(signingKey, [kind, date, scope, ...rest].join("\n")).toString("hex");
