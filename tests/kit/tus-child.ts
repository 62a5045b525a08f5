/**
 * An upload by tus in a process of its own, to be killed: `bun tus-child.ts FOLDER ROUND [ID]`. It begins one, or goes on where that of this id
 * ends, a few bytes at a time and now and then many. Says on stdout after each step up to where it was acknowledged: `ID OFFSET`.
 */
import { writeSync } from "node:fs";
import { openDriveNode, tusEnd } from "./drive-node.ts";
import { repeatedBytes } from "./made-bytes.ts";

const [folder = "", round = "0", begun = ""] = process.argv.slice(2);
const node = openDriveNode(folder, Number(round));
const STEPS = [1, 3, 100, 7_000, 1, 2, 1_500_000];
const bytes = repeatedBytes(40_000_000);

async function begin(): Promise<string> {
  const body = { name: round, folder_id: null, size_bytes: bytes.length };
  return (await node.call("POST /api/drive/upload/init", { as: "admin", body })).body.upload_id;
}

const id = begun === "" ? await begin() : begun;
const tus = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" };
for (let [offset, turn] = [await tusEnd(node, id), 0]; ; turn += 1) {
  const body = bytes.slice(offset, offset + (STEPS[turn % STEPS.length] ?? 1));
  const authorization = `Bearer ${await node.tokenOf("admin")}`;
  const headers = { ...tus, authorization, host: "localhost", "upload-offset": String(offset) };
  const url = `http://localhost/api/drive/upload/${id}`;
  const answer = await node.fetch(new Request(url, { method: "PATCH", headers, body }));
  if (answer.status !== 204) throw new Error(await answer.text());
  offset += body.length;
  writeSync(1, `${id} ${offset}\n`);
}
