import { describe, expect, test } from "bun:test";
import packageJson from "../../../../package.json";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { freshDatabases, onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import type { ReleaseNote } from "./contract.ts";
import { listNotes } from "./logic.ts";
import { NOTES } from "./notes.ts";

const note = (version: string, published_at = "2026-01-01T00:00:00.000Z", product: ReleaseNote["product"] = "os") => ({
  id: `${product}-${version}`,
  product,
  version,
  title: version,
  summary: "",
  items: [],
  published_at,
});
const versions = (notes: ReleaseNote[]) => notes.map(({ version }) => version);

describe("notes", () => {
  const all = [
    note("1.2.0"),
    note("1.10.0", "2026-03-01T00:00:00.000Z"),
    note("1.9.1"),
    note("2.0.0", undefined, "cc"),
  ];

  test("are sorted by version, not by text, and cut", () => {
    expect(versions(listNotes(all, { product: "os" }))).toEqual(["1.10.0", "1.9.1", "1.2.0"]);
    expect(versions(listNotes(all, { limit: 2 }))).toEqual(["2.0.0", "1.10.0"]);
  });

  test("since a version or a moment", () => {
    expect(versions(listNotes(all, { product: "os", since: "1.9.1" }))).toEqual(["1.10.0"]);
    expect(versions(listNotes(all, { product: "os", since: "v1.2.0" }))).toEqual(["1.10.0", "1.9.1"]);
    expect(versions(listNotes(all, { since: "2026-02-01T00:00:00Z" }))).toEqual(["1.10.0"]);
    expect(() => listNotes(all, { since: "yesterday" })).toThrow("neither a version");
  });
});

test("this release has notes of both programs", () => {
  const described = NOTES.filter(({ version }) => version === packageJson.version).map(({ product }) => product);
  expect(described.sort()).toEqual(["cc", "os"]);
});

onEachEngine("the route", (engine) => {
  const databases = freshDatabases(engine);

  test("is open, and strict about what it is asked", async () => {
    const panel = await createTestPanel(await databases.open());
    const { status, body } = await panel.call("GET /api/v1/release-notes?product=os&instance_id=node_1");
    expect(status).toBe(200);
    expect(body[0]).toMatchObject({ product: "os", version: packageJson.version, items: expect.any(Array) });
    for (const query of ["product=windows", "since=soon", "limit=0", "x=1"]) {
      expect((await panel.call(`GET /api/v1/release-notes?${query}`)).status).toBe(400);
    }
  });
});
