import type { IncomingMessage } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import { escapeS3, queryS3, type S3Signer, signS3 } from "../../../lib/sign-s3.ts";
import { childrenOf, type Element, parseXml, textOf } from "../objects/index.ts";
import type { Http } from "./http.ts";

/** The store did not do what it was asked. */
export class S3Refusal extends Error {
  readonly status: number;
  /** As S3 has them; empty where it gave none. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "S3Refusal";
    this.status = status;
    this.code = code;
  }
}

/** One question about a bucket or an object. */
export interface S3Question {
  method: string;
  /** Left out, it is about all buckets. */
  bucket?: string;
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** Not for what begins or ends something. */
  mayRepeat: boolean;
}

/** A store that speaks S3. Everything throws S3Refusal, or OutgoingError where it does not answer. */
export interface S3Client {
  /** The reply, where it is a good one. */
  open(question: S3Question): Promise<IncomingMessage>;
  /** The same, read as a document. */
  ask(question: S3Question): Promise<Element>;
  /** The same, for its headers alone. */
  tell(question: S3Question): Promise<Record<string, string>>;
  bytesOf: Http["bytesOf"];
}

const headersOf = (reply: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));

function parse(status: number, text: string): Element {
  try {
    return parseXml(text);
  } catch {
    throw new S3Refusal(status, "", "It answered with something that is no XML of S3.");
  }
}

/** What a refusal says, in its own words. */
function readRefusal(status: number, text: string): S3Refusal {
  const code = /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(text)?.[1] ?? "";
  const said = /<Message>([^<]{1,300})<\/Message>/.exec(text)?.[1]?.replace(/\.$/, "") ?? "";
  if (status >= 300 && status < 400)
    return new S3Refusal(status, code, "It sends elsewhere: the bucket lies in another region, or at another address.");
  return new S3Refusal(
    status,
    code,
    `It answered with ${[status, code, said].filter((word) => word !== "").join(" ")}.`,
  );
}

/** A client of the store at `endpoint`; buckets are the first part of the path. */
export function createS3Client(place: S3Signer & { endpoint: string }, http: Http, clock: Clock): S3Client {
  const { origin, host, pathname } = new URL(place.endpoint);
  const base = pathname.replace(/\/+$/, "");

  async function send(question: S3Question): Promise<IncomingMessage> {
    const { method, bucket, key, body, mayRepeat } = question;
    const name = [bucket, key].filter((part) => part !== undefined).join("/");
    const path = `${base}/${escapeS3(name, "/")}`;
    const query = queryS3(question.query ?? {});
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const signed = signS3(
      place,
      { method, path, query, headers: question.headers ?? {}, body: bytes },
      host,
      clock.now(),
    );
    const asked = { method, url: origin, path: query === "" ? path : `${path}?${query}`, headers: signed, mayRepeat };
    return await http.open({ ...asked, ...(bytes === undefined ? {} : { body: bytes }) });
  }

  async function open(question: S3Question): Promise<IncomingMessage> {
    const reply = await send(question);
    const status = reply.statusCode ?? 0;
    if (status >= 200 && status < 300) return reply;
    throw readRefusal(status, question.method === "HEAD" ? "" : await http.textOf(reply));
  }

  return {
    open,
    async ask(question) {
      const reply = await open(question);
      const status = reply.statusCode ?? 0;
      const text = await http.textOf(reply);
      const root = parse(status, text);
      // S3 may begin to answer before it knows whether it can do what it was asked.
      if (root.name === "Error") throw readRefusal(status, text);
      return root;
    },
    async tell(question) {
      const reply = await open(question);
      if (question.method === "HEAD") reply.destroy();
      else await http.textOf(reply);
      return headersOf(reply);
    },
    bytesOf: http.bytesOf,
  };
}

/** Text of a child; empty where there is none. */
export const textIn = (element: Element, name: string): string => textOf(element, name) ?? "";

/** What is listed: children of the children of these names, one below the other. */
export const listed = (root: Element, ...names: readonly string[]): Element[] =>
  names.reduce<Element[]>((found, name) => found.flatMap((element) => childrenOf(element, name)), [root]);
