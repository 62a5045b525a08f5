import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const TEXT = "late";
const FORM = `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${TEXT}\r\n--x--\r\n`;

/** Sends a body as a member whose account changes before the last byte has come. */
async function sendSlowly(
  method: string,
  path: string,
  headers: Record<string, string>,
  text: string,
  change: object,
): Promise<number> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      await node.call("PATCH /api/users/usr_member", { as: "admin", body: change });
      controller.enqueue(Buffer.from(text));
      controller.close();
    },
  };
  // Nothing is taken from it before somebody reads, who was let in by then.
  const body = new ReadableStream(source, { highWaterMark: 0 });
  const token = { authorization: `Bearer ${await node.tokenOf("member")}`, host: "localhost" };
  const request = new Request(`http://localhost${path}`, { method, headers: { ...token, ...headers }, body });
  return (await node.fetch(request)).status;
}

/** What the member finds after the account is back. */
async function filesOf(): Promise<unknown[]> {
  await node.call("PATCH /api/users/usr_member", { as: "admin", body: { disabled: false, role: "member" } });
  return (await node.call("GET /api/drive/tree", { as: "member" })).body.nodes;
}

const ENDS = [
  ["switched off", { disabled: true }],
  ["made a viewer", { role: "viewer" }],
] as const;

test.each(ENDS)("a file of an account that is %s while it comes is not stored", async (_what, change) => {
  const type = { "content-type": "multipart/form-data; boundary=x" };
  expect(await sendSlowly("POST", "/api/drive/upload", type, FORM, change)).toBe(401);
  expect(await filesOf()).toEqual([]);
});

test.each(ENDS)("the same by tus: an account that is %s meanwhile", async (_what, change) => {
  const tus = { "tus-resumable": "1.0.0" };
  const metadata = `filename ${Buffer.from("a").toString("base64")}`;
  const begin = { ...tus, "upload-length": String(TEXT.length), "upload-metadata": metadata };
  const { headers } = await node.call("POST /api/drive/upload", { as: "member", headers: begin });
  const more = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  expect(await sendSlowly("PATCH", headers.get("location") ?? "", more, TEXT, change)).toBe(401);
  expect(await filesOf()).toEqual([]);
});
