import { createHash, createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";

/** How a request is to be made. */
interface CallOptions {
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Added after signing. */
  unsigned?: Record<string, string>;
  body?: string;
  /** Sent in the place of what was signed. */
  sent?: string;
  /** The body in pieces. */
  chunked?: "signed" | "signed-trailer" | "unsigned-trailer";
  /** The last piece is another than was signed. */
  isBroken?: boolean;
}

interface SignedAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The code of an error. */
  code: string | null;
}

/** A request that can be sent again and again. */
export interface LastingRequest {
  path: string;
  headers: Record<string, string>;
}

/** Requests to an S3 server, signed by hand and sent without anything tidying their path. */
export interface SignedCalls {
  (method: string, bucket: string, options?: CallOptions): Promise<SignedAnswer>;
  /** The path and the headers of a request whose body is not signed, which is good for a quarter of an hour as often as it is sent. */
  lasting(method: string, bucket: string, options?: Pick<CallOptions, "key" | "query" | "headers">): LastingRequest;
  presign(method: string, bucket: string, key: string, expiresS: number): string;
  /** A key as addresses and escaped lists have it. */
  escape(key: string): string;
}

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const hmac = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();
const escapeAll = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const escapePath = (text: string) => text.split("/").map(escapeAll).join("/");
const PAYLOADS = {
  signed: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
  "signed-trailer": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
  "unsigned-trailer": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
};

/** Calls with one access key, at the moments that `now` says. */
export function createSignedCalls(
  url: string,
  { access_key, secret_key }: { access_key: string; secret_key: string },
  now: () => number,
): SignedCalls {
  const { host, hostname, port } = new URL(url);

  function begin() {
    const date = new Date(now()).toISOString().replace(/[-:]|\.\d{3}/g, "");
    const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const [day = "", region = "", service = "", end = ""] = scope.split("/");
    const key = hmac(hmac(hmac(hmac(`AWS4${secret_key}`, day), region), service), end);
    const sign = (kind: string, ...rest: string[]) =>
      hmac(key, [kind, date, scope, ...rest].join("\n")).toString("hex");
    return { date, scope, sign };
  }

  const queryOf = (query: Record<string, string>) =>
    Object.entries(query)
      .map(([name, value]) => `${escapeAll(name)}=${escapeAll(value)}`)
      .sort()
      .join("&");

  /** Signs the headers that are given, and what each request has; `payload` is what the signature says of the body. */
  function signed(
    method: string,
    bucket: string,
    { key, query = {}, headers: given = {} }: Pick<CallOptions, "key" | "query" | "headers">,
    payload: string,
  ) {
    const { date, scope, sign } = begin();
    const path = `/${bucket}${key === undefined ? "" : `/${escapePath(key)}`}`;
    const headers: Record<string, string> = { ...given, host, "x-amz-date": date, "x-amz-content-sha256": payload };
    const names = Object.keys(headers).sort();
    const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
    const canonical = [method, path, queryOf(query), lines, names.join(";"), payload].join("\n");
    const signature = sign("AWS4-HMAC-SHA256", sha256(canonical));
    const credential = `Credential=${access_key}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
    const target = `${path}${Object.keys(query).length === 0 ? "" : `?${queryOf(query)}`}`;
    return { path: target, headers: { ...headers, authorization: `AWS4-HMAC-SHA256 ${credential}` }, signature, sign };
  }

  async function call(method: string, bucket: string, options: CallOptions = {}): Promise<SignedAnswer> {
    const { body = "", chunked } = options;
    const payload = chunked === undefined ? sha256(body) : PAYLOADS[chunked];
    const given: Record<string, string> = { ...options.headers };
    if (chunked !== undefined) given["x-amz-decoded-content-length"] = String(body.length);
    if (chunked?.endsWith("trailer") === true) given["x-amz-trailer"] = "x-amz-checksum-crc32";
    const { path, headers, signature, sign } = signed(method, bucket, { ...options, headers: given }, payload);
    const text =
      chunked === undefined ? (options.sent ?? body) : frame(body, chunked, signature, sign, options.isBroken === true);
    const length = { "content-length": String(Buffer.byteLength(text)) };
    return await send({ method, path, headers: { ...headers, ...options.unsigned, ...length } }, text);
  }

  const send = (about: { method: string; path: string; headers: Record<string, string> }, text: string) =>
    new Promise<SignedAnswer>((resolve, reject) => {
      const request = httpRequest({ ...about, hostname, port }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => void parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const answer = Buffer.concat(parts).toString("utf8");
          const answered = new Headers();
          for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value));
          resolve({
            status: response.statusCode ?? 0,
            headers: answered,
            text: answer,
            code: /<Code>(.*?)</.exec(answer)?.[1] ?? null,
          });
        });
      });
      request.on("error", reject);
      request.end(text);
    });

  return Object.assign(call, {
    presign(method: string, bucket: string, key: string, expiresS: number) {
      const { date, scope, sign } = begin();
      const path = `/${bucket}/${escapePath(key)}`;
      const query = queryOf({
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": `${access_key}/${scope}`,
        "X-Amz-Date": date,
        "X-Amz-Expires": String(expiresS),
        "X-Amz-SignedHeaders": "host",
      });
      const canonical = [method, path, query, `host:${host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
      return `${url}${path}?${query}&X-Amz-Signature=${sign("AWS4-HMAC-SHA256", sha256(canonical))}`;
    },
    lasting(method: string, bucket: string, options: Pick<CallOptions, "key" | "query" | "headers"> = {}) {
      const { path, headers } = signed(method, bucket, options, "UNSIGNED-PAYLOAD");
      return { path, headers };
    },
    escape: escapePath,
  });
}

/** A body in pieces of 64 KiB. */
function frame(
  body: string,
  kind: NonNullable<CallOptions["chunked"]>,
  seed: string,
  sign: (kind: string, ...rest: string[]) => string,
  isBroken: boolean,
): string {
  let text = "";
  let previous = seed;
  const isSigned = kind !== "unsigned-trailer";
  for (let at = 0; at <= body.length; at += 65_536) {
    const pieces = [body.slice(at, at + 65_536), ...(at + 65_536 > body.length ? [""] : [])].filter(
      (piece, index) => piece !== "" || index === 1,
    );
    for (const piece of pieces) {
      previous = sign("AWS4-HMAC-SHA256-PAYLOAD", previous, sha256(""), sha256(piece));
      const extension = isSigned ? `;chunk-signature=${previous}` : "";
      const sent = isBroken && piece !== "" ? `y${piece.slice(1)}` : piece;
      text += `${piece.length.toString(16)}${extension}\r\n${sent}${piece === "" ? "" : "\r\n"}`;
    }
  }
  if (kind === "signed") return `${text}\r\n`;
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(Bun.hash.crc32(body));
  const trailer = `x-amz-checksum-crc32:${crc.toString("base64")}`;
  const end = isSigned
    ? `x-amz-trailer-signature:${sign("AWS4-HMAC-SHA256-TRAILER", previous, sha256(`${trailer}\n`))}\r\n`
    : "";
  return `${text}${trailer}\r\n${end}\r\n`;
}
