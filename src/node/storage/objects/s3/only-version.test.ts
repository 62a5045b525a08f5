import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { openS3Suite, textsIn } from "../../../../../tests/kit/s3-suite.ts";

/** The one version of each object, whose id is null. */
let own: Awaited<ReturnType<typeof openS3Suite>>;
beforeAll(async () => {
  own = await openS3Suite();
});
afterAll(() => own.close());
afterEach(() => own.empty());

test("each object is its one version, page after page", async () => {
  await own.fill(["a", "b/1", "b/2", "c"]);
  const first = (await own.call("GET", { query: { versions: "", "max-keys": "2" } })).text;
  expect(textsIn(first, /<Key>([^<]*)</g)).toEqual(["a", "b/1"]);
  expect([textsIn(first, /<NextKeyMarker>([^<]*)</g), textsIn(first, /<NextVersionIdMarker>([^<]*)</g)]).toEqual([
    ["b/1"],
    ["null"],
  ]);
  const marker = { versions: "", "key-marker": "b/1", "version-id-marker": "null" };
  const rest = (await own.call("GET", { query: marker })).text;
  expect([textsIn(rest, /<Key>([^<]*)</g), textsIn(rest, /<IsLatest>([^<]*)</g)]).toEqual([
    ["b/2", "c"],
    ["true", "true"],
  ]);
  const folders = (await own.call("GET", { query: { versions: "", delimiter: "/" } })).text;
  expect(textsIn(folders, /<Prefix>(b[^<]*)</g)).toEqual(["b/"]);
});

test("a version that is not here is neither read nor removed", async () => {
  await own.put("kept", "body");
  const versionId = "3sL4kqtJlcpXroDTDmJ";
  for (const method of ["GET", "DELETE"] as const)
    expect((await own.call(method, { key: "kept", query: { versionId } })).code).toBe("NoSuchVersion");
  const many = (version: string) =>
    own.call("POST", {
      query: { delete: "" },
      body: `<Delete><Object><Key>kept</Key><VersionId>${version}</VersionId></Object></Delete>`,
    });
  expect((await many(versionId)).text).toContain("<Code>NoSuchVersion</Code>");
  expect((await own.get("kept", {}, { versionId: "null" })).text).toBe("body");
  expect((await many("null")).text).toContain("<Deleted>");
  expect((await own.get("kept")).code).toBe("NoSuchKey");
});
