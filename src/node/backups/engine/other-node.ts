import { createHash } from "node:crypto";
import { isRecord } from "../../../lib/json.ts";
import { type DocumentBounds, parseDocument } from "./documents.ts";
import { EngineFailure } from "./failure.ts";
import type { HttpClient, HttpReply, HttpRequest } from "./http-client.ts";
import { assertName, byName, isRepositoryName, ownName } from "./names.ts";
import { checkCount, pieceOf } from "./reply-bytes.ts";
import type { Entry, NodePlace, Range, Target } from "./target.ts";

/** What the other server takes in one request. */
const PIECE_BYTES = 6 * 1024 * 1024;

/** An error has four fields; its parameters are of any shape. */
const MOST_ERROR: DocumentBounds = { bytes: 64 * 1024, values: 1000 };
/** A file in a list, as an Orrery writes it, and what is behind it. */
const LISTED = /\{"name":"([^"\\]{1,4096})","size":(\d{1,15})\}(?:,(?=\{)|\]$)/y;

/** The error that an Orrery answers; null where it is none. */
function errorIn({ body }: HttpReply): { code: unknown; said: string } | null {
  const error = parseDocument(body, MOST_ERROR);
  if (!isRecord(error)) return null;
  const { code, message } = error;
  return typeof message === "string" ? { code, said: message.slice(0, 400) } : null;
}

/**
 * The files of a list, one by one: parsed as a whole, something else of the same length would take fifty times its room. Throws
 * `target_refused`.
 */
function readList(text: string): Entry[] {
  const noList = () => new EngineFailure("target_refused", "The other server answered something else than a list.");
  const entries: Entry[] = [];
  if (text === "[]") return entries;
  if (!text.startsWith("[")) throw noList();
  for (let at = 1, named = 1; at < text.length || named === 1; at = LISTED.lastIndex, named += 1) {
    checkCount(named);
    LISTED.lastIndex = at;
    const [, name = "", size] = LISTED.exec(text) ?? [];
    if (size === undefined) throw noList();
    if (isRepositoryName(name)) entries.push({ name: ownName(name), size: Number(size) });
  }
  return entries;
}

function explain(reply: HttpReply, name: string): EngineFailure | null {
  const { status } = reply;
  if (status >= 200 && status < 300) return null;
  const error = errorIn(reply);
  if (error === null) return new EngineFailure("target_refused", `There is no Orrery at that address: ${status}.`);
  const { code, said } = error;
  if (status === 404 && said.includes(name)) return new EngineFailure("target_missing", `There is no ${name}.`);
  if (status === 412) return new EngineFailure("target_exists", `There is a ${name} already.`);
  if (code === "drop_append_only") return new EngineFailure("target_keeps", said);
  if (status === 507) return new EngineFailure("target_full", said);
  return new EngineFailure("target_refused", said);
}

/** A repository in a place that another Orrery keeps for this one. */
export function openOtherNode({ url, key }: NodePlace, http: HttpClient): Target {
  async function request(name: string, path: string, asked: Omit<HttpRequest, "url">): Promise<HttpReply> {
    assertName(name);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" };
    const reply = await http.send({ ...asked, url: `${url}/api/drop-off/${path}`, headers });
    const failure = explain(reply, name);
    if (failure) throw failure;
    return reply;
  }

  const fileOf = (name: string, more: Record<string, string> = {}): string =>
    `file?${new URLSearchParams({ name, ...more })}`;

  async function read(name: string, range?: Range, most?: number): Promise<Uint8Array> {
    const asked: Record<string, string> =
      range === undefined ? {} : { at: String(range.at), length: String(range.length) };
    // What it was asked for is all that it sends, whatever it calls that.
    const takes = range?.length ?? most;
    return pieceOf(await request(name, fileOf(name, asked), { method: "GET", takes }), name, range);
  }

  return {
    async write(name, bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      let wasRepeated = false;
      try {
        for (let at = 0; at === 0 || at < bytes.length; at += PIECE_BYTES) {
          const body = bytes.subarray(at, at + PIECE_BYTES);
          const more = { at: String(at), size: String(bytes.length), sha256 };
          const reply = await http.send({
            method: "PUT",
            url: `${url}/api/drop-off/${fileOf(name, more)}`,
            headers: { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" },
            body,
          });
          wasRepeated = reply.wasRepeated;
          const failure = explain(reply, name);
          if (failure) throw failure;
        }
      } catch (error) {
        const isThere = error instanceof EngineFailure && error.code === "target_exists" && wasRepeated;
        // It may be what an earlier try of this very question left.
        if (!isThere || !Buffer.from(bytes).equals(await read(name))) throw error;
      }
    },
    read,
    async list(folder) {
      const reply = await request(folder, `files?${new URLSearchParams({ folder })}`, { method: "GET" });
      return readList(reply.body.toString()).sort(byName);
    },
    async remove(name) {
      try {
        await request(name, fileOf(name), { method: "DELETE" });
      } catch (error) {
        if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
      }
    },
    warnings: () => http.warnings(),
  };
}
