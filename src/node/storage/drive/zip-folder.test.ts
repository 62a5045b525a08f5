import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { safePart } from "./zip-folder.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode({ anonymous_rate: "100000", session_rate: "100000" });
});
afterEach(() => closeStorageNode(node));

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const makeFolder = async (name: string, parent_id: string | null = null): Promise<string> =>
  (await call("POST /api/drive/folders", { name, parent_id })).body.id;

async function upload(name: string, text: string, folder: string): Promise<string> {
  const body = new FormData();
  body.set("file", new File([text], name));
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  const url = `http://localhost/api/drive/upload?folder_id=${folder}`;
  return JSON.parse(await (await node.fetch(new Request(url, { method: "POST", headers, body }))).text()).id;
}

/** Asks for a folder as an archive; its body is not read. */
async function ask(id: string): Promise<Response> {
  const { headers } = await call(`GET /api/drive/raw/${id}`);
  const url = `http://localhost${headers.get("location")}`;
  return await node.fetch(new Request(url, { headers: { host: "localhost" } }));
}

test("a folder is one archive of all that lies in it, whose names lead nowhere else", async () => {
  const folder = await makeFolder("Häuser");
  await upload("..\\..\\evil.txt", "1", folder);
  await upload("C:boot.ini", "2", folder);
  await upload("a.txt", "3", await makeFolder("empty not", folder));
  await makeFolder("empty", folder);
  const gone = await upload("gone", "4", folder);
  await call(`DELETE /api/drive/nodes/${gone}`);
  const answer = await ask(folder);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
  const path = join(makeScratch("zip"), "a.zip");
  writeFileSync(path, new Uint8Array(await answer.arrayBuffer()));
  const script =
    "import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps(sorted(z.namelist())))";
  const { stdout } = Bun.spawnSync(["python3", "-c", script, path]);
  expect(JSON.parse(stdout.toString())).toEqual(
    ["", "..＼..＼evil.txt", "C：boot.ini", "empty not/", "empty not/a.txt", "empty/"].map((name) => `Häuser/${name}`),
  );
});

test("nobody has many archives made at a time, and one that is given up makes room", async () => {
  const folder = await makeFolder("f");
  await upload("a", "1", folder);
  // They come in the same instant: who finds no place is told so before the answer begins.
  const crowd = await Promise.all(Array.from({ length: 5 }, () => ask(folder)));
  expect(crowd.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429]);
  const begun = crowd.filter(({ status }) => status === 200);
  const readers = begun.map((answer) => answer.body?.getReader());
  for (const reader of readers) await reader?.read();
  const refused = await ask(folder);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  await readers[0]?.cancel();
  expect((await ask(folder)).status).toBe(200);
});

test("a part of a path is no more than that on any system", () => {
  expect(safePart("a\\b")).toBe("a＼b");
  expect(safePart("c:x")).toBe("c：x");
  expect(safePart("10:30")).toBe("10:30");
  expect(safePart("a\0b\n")).toBe("a␀b␊");
});

test("a crowd that asks for a large file in the same instant gets it whole or hears to come again", async () => {
  const id = await upload("large", "x".repeat(100_000), await makeFolder("f"));
  const { headers } = await call(`GET /api/drive/raw/${id}`);
  const url = `http://localhost${headers.get("location")}`;
  const get = () => node.fetch(new Request(url, { headers: { host: "localhost" } }));
  const crowd = await Promise.all(Array.from({ length: 60 }, get));
  const surplus = crowd.filter(({ status }) => status === 429);
  expect([surplus.length, new Set(surplus.map((answer) => answer.headers.get("retry-after")))]).toEqual([
    12,
    new Set(["5"]),
  ]);
  const served = crowd.filter(({ status }) => status === 200);
  const sizes = await Promise.all(served.map(async (answer) => (await answer.arrayBuffer()).byteLength));
  expect(sizes).toEqual(Array(48).fill(100_000));
  expect((await get()).status).toBe(200);
});

test("an archive holds no more of paths than it may, however few things they lead to", async () => {
  const top = await makeFolder("top");
  const insert = node.ctx.db.raw.query(
    `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, size_bytes, created_at, changed_at)
     SELECT ?1, user_id, ?2, ?3, '', 0, 0, 0, 0 FROM drive_nodes WHERE id = ?4`,
  );
  let last = top;
  for (let level = 2; level < 64; level += 1) {
    insert.run(`drv_${level}`, last, "漢".repeat(255), top);
    last = `drv_${level}`;
  }
  // Each of them has 47 KB before its name.
  for (let at = 0; at < 650; at += 1) insert.run(`drv_in_${at}`, last, `f${at}`, top);
  expect((await ask(top)).status).toBe(200);
  for (let at = 650; at < 720; at += 1) insert.run(`drv_in_${at}`, last, `f${at}`, top);
  const refused = await ask(top);
  expect([refused.status, await refused.json()]).toEqual([409, expect.objectContaining({ code: "drive_zip_limit" })]);
});
