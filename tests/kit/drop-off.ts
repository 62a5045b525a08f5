import { expect } from "bun:test";
import { sha256Hex } from "../../src/lib/digest.ts";
import type { TestNode } from "./node-app.ts";

export const MIB = 1024 ** 2;
/** What a place is made of unless told. */
export const INPUT = { name: "atlas", quota_bytes: 64 * MIB, append_only: false, expires_in_days: null };

/** Makes a place; its key, and the place as it is listed. */
export async function makePlace(node: TestNode, more: object = {}) {
  const { status, body } = await node.call("POST /api/backup/drop-offs", { as: "admin", body: { ...INPUT, ...more } });
  expect(status).toBe(200);
  return { key: String(body.key), drop: body.drop_off };
}

/** Asks as the other server does. */
export function asOther(node: TestNode, key: string) {
  const ask = async (method: string, path: string, bytes?: Uint8Array) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" };
    const body = bytes === undefined ? {} : { body: bytes };
    const answer = await node.fetch(new Request(`http://localhost/api/drop-off/${path}`, { method, headers, ...body }));
    const text = Buffer.from(await answer.arrayBuffer());
    const isWords = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: answer.status, text, body: isWords ? JSON.parse(text.toString()) : null };
  };
  const put = (name: string, bytes: Uint8Array, { at = 0, size = bytes.length, sha256 = sha256Hex(bytes) } = {}) =>
    ask("PUT", `file?${new URLSearchParams({ name, at: `${at}`, size: `${size}`, sha256 })}`, bytes);
  return {
    put,
    get: (name: string, more: Record<string, string> = {}) =>
      ask("GET", `file?${new URLSearchParams({ name, ...more })}`),
    list: (folder: string) => ask("GET", `files?folder=${folder}`),
    remove: (name: string) => ask("DELETE", `file?name=${encodeURIComponent(name)}`),
  };
}

/** So many bytes, all the same. */
export const bytesOf = (size: number, fill = 1) => new Uint8Array(size).fill(fill);
