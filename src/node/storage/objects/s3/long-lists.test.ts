import { expect, spyOn, test } from "bun:test";
import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { keepWaiting } from "../../../../../tests/kit/waiting-crowd.ts";

/** Names that XML writes six times as long. */
const longName = (no: number): string => `${no}`.padStart(4, "0") + '"'.repeat(1_020);

/** A bucket with more objects, or uploads, than one page of a list has room for. */
async function fill({ s3 }: S3Node, what: "objects" | "uploads", count = 200): Promise<string[]> {
  const names = Array.from({ length: count }, (_, no) => longName(no));
  const one = (key: string) =>
    what === "objects" ? s3("PUT", "box", { key, body: "x" }) : s3("POST", "box", { key, query: { uploads: "" } });
  await Promise.all(names.map(one));
  return names;
}

/** Asks for a list and is there until `leave` is called. */
function askAndLeave({ url, s3 }: S3Node): { leave: () => void } {
  const { path, headers } = s3.lasting("GET", "box");
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(
    Number(port),
    hostname,
    () => void socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`),
  );
  socket.on("error", () => {}).resume();
  return { leave: () => void socket.destroy() };
}

test.each(["objects", "uploads"] as const)("others come between the parts of a long list of %s", async (what) => {
  const s3 = await openS3Node(["box"]);
  await fill(s3, what);
  const crowd = keepWaiting(s3.node.ctx.takeTurn, ["other", ""], 50);
  const before = crowd.turns();
  const query: Record<string, string> = what === "objects" ? {} : { uploads: "" };
  const { text } = await s3.s3("GET", "box", { query });
  expect(text).toContain("<IsTruncated>true</IsTruncated>");
  expect(crowd.turns() - before).toBeGreaterThan(what === "objects" ? 15 : 3);
  crowd.end();
  await s3.close();
});

test("of one key a list is made at a time, and all of them are answered", async () => {
  const s3 = await openS3Node(["box"]);
  await fill(s3, "objects", 40);
  const { objectStore, takeTurn } = s3.node.ctx;
  const listed = spyOn(objectStore, "list");
  const crowd = keepWaiting(takeTurn, ["other", ""], 50);
  const begun: number[] = [];
  const asks = Array.from({ length: 5 }, async () => {
    const { status } = await s3.s3("GET", "box");
    begun.push(listed.mock.calls.length);
    return status;
  });
  expect(await Promise.all(asks)).toEqual([200, 200, 200, 200, 200]);
  crowd.end();
  // Two at most: the one that is answered, and the next, which has begun when the answer arrives.
  expect(begun[0]).toBeLessThanOrEqual(2);
  listed.mockRestore();
  await s3.close();
});

/** Counts what a server's answers do: that they are come to, closed, begun. */
function watchAnswers() {
  const named = spyOn(ServerResponse.prototype, "setHeader");
  const emitted = spyOn(ServerResponse.prototype, "emit");
  const begun = spyOn(ServerResponse.prototype, "writeHead");
  return {
    asked: () => named.mock.calls.filter(([name]) => name === "x-amz-request-id").length,
    closed: () => emitted.mock.calls.filter(([name]) => name === "close").length,
    begun: () => begun.mock.calls.length,
    end: () => {
      for (const spy of [named, emitted, begun]) spy.mockRestore();
    },
  };
}

test.each([
  ["before its turn is not begun", 0],
  ["in its middle is not ended", 1],
])("a list whose reader goes %s", async (_, lists) => {
  const s3 = await openS3Node(["box"]);
  await fill(s3, "objects", 40 * lists);
  const { objectStore, takeTurn } = s3.node.ctx;
  const listed = spyOn(objectStore, "list");
  const answers = watchAnswers();
  const crowds = Array.from({ length: 50 }, (_, at) => keepWaiting(takeTurn, ["others", `${at}`], 50));
  const reader = askAndLeave(s3);
  await until(() => answers.asked() > 0 && listed.mock.calls.length === lists, { what: "the request", everyMs: 1 });
  reader.leave();
  await until(() => answers.closed() > 0, { what: "its reader to go", everyMs: 1 });
  for (const crowd of crowds) crowd.end();
  expect((await s3.s3("GET", "box")).status).toBe(200);
  expect([listed.mock.calls.length, answers.begun()]).toEqual([lists + 1, 1]);
  answers.end();
  listed.mockRestore();
  await s3.close();
});

test("of many uploads only those are read that are asked for, and their pages leave out none", async () => {
  const s3 = await openS3Node(["box"]);
  const names = [...(await fill(s3, "uploads")), "other/a", "other/b", "other/b", "zone"];
  for (const key of names.slice(200)) await s3.s3("POST", "box", { key, query: { uploads: "" } });
  const read = spyOn(s3.node.ctx.objectStore, "listUploads");
  const rows = () => read.mock.results.flatMap(({ value }) => value).length;
  const ask = async (query: Record<string, string>) =>
    (await s3.s3("GET", "box", { query: { uploads: "", ...query } })).text;
  const keysOf = (text: string) =>
    [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key?.replaceAll("&quot;", '"'));
  const textIn = (text: string, name: string) =>
    new RegExp(`<${name}>(.*?)</${name}>`).exec(text)?.[1]?.replaceAll("&quot;", '"') ?? "";
  expect(keysOf(await ask({ prefix: "nothing" }))).toEqual([]);
  expect(keysOf(await ask({ prefix: "other/", "max-uploads": "1" }))).toEqual(["other/a"]);
  expect(keysOf(await ask({ prefix: "other/", "key-marker": "other/a" }))).toEqual(["other/b", "other/b"]);
  expect(keysOf(await ask({ prefix: "other/", "key-marker": "p" }))).toEqual([]);
  expect(keysOf(await ask({ "key-marker": "other/b" }))).toEqual(["zone"]);
  expect(rows()).toBeLessThan(10);
  read.mockRestore();
  for (const size of [1_000, 7]) {
    const found: unknown[] = [];
    for (let query: Record<string, string> | null = { "max-uploads": `${size}` }; query !== null; ) {
      const text = await ask(query);
      found.push(...keysOf(text));
      const after = {
        "key-marker": textIn(text, "NextKeyMarker"),
        "upload-id-marker": textIn(text, "NextUploadIdMarker"),
      };
      query = textIn(text, "IsTruncated") === "true" ? { "max-uploads": `${size}`, ...after } : null;
    }
    expect(found).toEqual(names);
  }
  await s3.close();
});
