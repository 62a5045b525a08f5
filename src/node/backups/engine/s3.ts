import type { Clock } from "../../../lib/clock.ts";
import { queryS3, signS3 } from "../../../lib/sign-s3.ts";
import { EngineFailure } from "./failure.ts";
import type { HttpClient, HttpReply, HttpRequest } from "./http-client.ts";
import { assertName, byName, isRepositoryName, ownName } from "./names.ts";
import {
  checkCount,
  elementsOf,
  pieceOf,
  rangeHeader,
  sizeIn,
  textIn,
  unescapeXml,
  withoutEnd,
} from "./reply-bytes.ts";
import type { Entry, S3Place, Target } from "./target.ts";

/** A listing of more pages than that is not one of ours. */
const MOST_PAGES = 10_000;
/** So many of them may name nothing of a repository: servers leave the places of what was removed empty. */
const MOST_EMPTY_PAGES = 100;
/** A page has a thousand names. */
const MOST_PAGE_BYTES = 16 * 1024 * 1024;

const UNCONDITIONAL = "The server cannot refuse to write over what is there: let only this node write to it.";

interface Asked {
  method: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  takes?: HttpRequest["takes"];
}

/** The refusal of a server in our words; null where it did what it was asked. */
function explain({ status, body }: HttpReply, name: string, method?: string): EngineFailure | null {
  if (status >= 200 && status < 300) return null;
  const text = body.subarray(0, 4096).toString();
  const code = /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(text)?.[1] ?? "";
  const said = unescapeXml(/<Message>([^<]{1,300})<\/Message>/.exec(text)?.[1] ?? "");
  if (code === "NoSuchBucket") return new EngineFailure("target_refused", "There is no such bucket. Make it first.");
  if (status === 404) return new EngineFailure("target_missing", `There is no ${name}.`);
  if (status === 412 || status === 409) return new EngineFailure("target_exists", `There is a ${name} already.`);
  if (code === "RequestTimeTooSkewed")
    return new EngineFailure("target_refused", "The clocks of the server and of this one are too far apart.");
  if (code === "SignatureDoesNotMatch" || code === "InvalidAccessKeyId")
    return new EngineFailure("target_refused", "The server does not know this access key, or its secret is another.");
  if (status === 507 || /Quota|StorageFull|InsufficientStorage/.test(code))
    return new EngineFailure("target_full", "The bucket has no room any more.");
  if (status === 403) {
    const kind = method === "DELETE" ? "target_keeps" : "target_refused";
    return new EngineFailure(kind, `The access key may not do that. ${said}`.trim());
  }
  if (status >= 300 && status < 400)
    return new EngineFailure("target_refused", "The bucket lies in another region, or at another address.");
  return new EngineFailure("target_refused", `The server answered ${name} with ${status} ${code}. ${said}`.trim());
}

/** A repository in a bucket. */
export function openS3(place: S3Place, http: HttpClient, clock: Pick<Clock, "now">): Target {
  const { origin, host, pathname } = new URL(place.endpoint);
  const base = `${pathname.replace(/\/+$/, "")}/${place.bucket}`;
  let isUnconditional = false;

  async function send(asked: Asked): Promise<HttpReply> {
    const query = queryS3(asked.query ?? {});
    const { method, path, body, takes } = asked;
    const headers = signS3(place, { ...asked, query }, host, clock.now());
    const url = `${origin}${path}${query === "" ? "" : `?${query}`}`;
    return await http.send({ method, url, headers, takes, ...(body ? { body } : {}) });
  }

  /** Sends it, and throws where the server refuses. */
  async function request(name: string, asked: Omit<Asked, "path">): Promise<HttpReply> {
    assertName(name);
    const reply = await send({ ...asked, path: `${base}/${place.prefix}${name}` });
    const failure = explain(reply, name, asked.method);
    if (failure) throw failure;
    return reply;
  }

  async function has(name: string): Promise<boolean> {
    try {
      await request(name, { method: "HEAD" });
      return true;
    } catch (error) {
      if (error instanceof EngineFailure && error.code === "target_missing") return false;
      throw error;
    }
  }

  return {
    async write(name, bytes) {
      assertName(name);
      const asked = { method: "PUT", path: `${base}/${place.prefix}${name}`, body: bytes };
      if (!isUnconditional) {
        const reply = await send({ ...asked, headers: { "if-none-match": "*" } });
        const failure = explain(reply, name);
        if (!failure) return;
        // It may be what an earlier try of this very question left.
        if (failure.code === "target_exists" && reply.wasRepeated)
          if (Buffer.from(bytes).equals(await this.read(name))) return;
        if (reply.status !== 501) throw failure;
        isUnconditional = true;
      }
      if (await has(name)) throw new EngineFailure("target_exists", `There is a ${name} already.`);
      await request(name, { method: "PUT", body: bytes });
    },
    async read(name, range, most) {
      const asked = { method: "GET", headers: rangeHeader(range), takes: range ?? most };
      return pieceOf(await request(name, asked), name, range);
    },
    async list(folder) {
      assertName(folder);
      const entries: Entry[] = [];
      let token: string | undefined;
      let empty = 0;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const more: Record<string, string> = token === undefined ? {} : { "continuation-token": token };
        const query = { "list-type": "2", prefix: `${place.prefix}${folder}/`, ...more };
        const reply = await send({ method: "GET", path: `${base}`, query, takes: MOST_PAGE_BYTES });
        const failure = explain(reply, folder);
        if (failure) throw failure;
        const text = reply.body.toString();
        const before = entries.length;
        for (const content of elementsOf(text, "Contents")) {
          const name = textIn(content, "Key").slice(place.prefix.length);
          if (isRepositoryName(name)) entries.push({ name: ownName(name), size: sizeIn(content, "Size") });
          checkCount(entries.length);
        }
        if (entries.length === before) empty += 1;
        const [next] = elementsOf(text, "NextContinuationToken");
        if (next === undefined) return entries.sort(byName);
        if (empty > MOST_EMPTY_PAGES) break;
        token = ownName(unescapeXml(next));
      }
      throw withoutEnd();
    },
    async remove(name) {
      try {
        await request(name, { method: "DELETE" });
      } catch (error) {
        if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
      }
    },
    warnings: () => [...http.warnings(), ...(isUnconditional ? [UNCONDITIONAL] : [])],
  };
}
