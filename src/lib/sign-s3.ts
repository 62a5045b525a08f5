import { createHash, createHmac } from "node:crypto";

/** With what a request to an S3 server is signed. */
export interface S3Signer {
  region: string;
  access_key: string;
  secret_key: string;
}

/** A request as it goes over the wire. */
export interface S3Request {
  method: string;
  /** Escaped, as it is sent. */
  path: string;
  /** Escaped and in order, without its question mark; empty for none. */
  query: string;
  /** By their small names. */
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Text as it stands in a path or query that is signed; what `kept` has stays as it is. */
export const escapeS3 = (text: string, kept = ""): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(/%2F/g, (slash) => (kept === "/" ? "/" : slash));

/** A query as it is signed and sent. */
export const queryS3 = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${escapeS3(name)}=${escapeS3(value)}`)
    .sort()
    .join("&");

/** All headers of a request, with its signature of version 4. */
export function signS3(
  { region, access_key, secret_key }: S3Signer,
  request: S3Request,
  host: string,
  now: number,
): Record<string, string> {
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = date.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = sha256(request.body ?? "");
  const headers: Record<string, string> = {
    ...request.headers,
    host,
    "x-amz-content-sha256": digest,
    "x-amz-date": date,
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const canonical = [request.method, request.path, request.query, lines, names.join(";"), digest].join("\n");
  const key = ["s3", "aws4_request"].reduce(hmac, hmac(hmac(`AWS4${secret_key}`, day), region));
  const signature = hmac(key, ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${access_key}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...headers, authorization };
}
