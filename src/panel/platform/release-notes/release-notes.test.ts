import { describe, expect, test } from "bun:test";
import packageJson from "../../../../package.json";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import type { NotesQuery, ReleaseNote } from "./contract.ts";
import { listNotes } from "./logic.ts";
import { NOTES } from "./notes.ts";

const note = (version: string, published_at = "2026-01-01T00:00:00.000Z", more: Partial<ReleaseNote> = {}) => ({
  id: `os-${version}`,
  product: "os" as const,
  version,
  title: version,
  summary: "",
  items: [],
  status: "published" as const,
  published_at,
  ...more,
});
const list = (notes: ReleaseNote[], query: NotesQuery, seesCanary = (_: ReleaseNote) => false) =>
  listNotes(notes, query, seesCanary).map(({ version }) => version);

describe("notes", () => {
  const all = [
    note("1.2.0"),
    note("1.10.0", "2026-03-01T00:00:00.000Z"),
    note("1.9.1", "2026-02-01T00:00:00.000Z"),
    note("1.9.2", "2026-04-01T00:00:00.000Z"),
    note("2.0.0", undefined, { id: "cc-2.0.0", product: "cc" }),
  ];

  test("are told as they were published, of one moment by version and not by text, and cut", () => {
    expect(list(all, {})).toEqual(["1.9.2", "1.10.0", "1.9.1", "2.0.0", "1.2.0"]);
    expect(list(all, { product: "os" })).toEqual(["1.9.2", "1.10.0", "1.9.1", "1.2.0"]);
    expect(list(all, { product: "mobile" })).toEqual([]);
    expect(list(all, { limit: 2 })).toEqual(["1.9.2", "1.10.0"]);
    const many = Array.from({ length: 60 }, (_, i) => note(`1.0.${i}`));
    expect(list(many, {})).toHaveLength(50);
    expect(list(many, {})[0]).toBe("1.0.59");
  });

  test("since a version or a moment, which itself does not count", () => {
    expect(list(all, { product: "os", since: "1.9.1" })).toEqual(["1.9.2", "1.10.0"]);
    expect(list(all, { product: "os", since: "v1.9.2-rc.1" })).toEqual(["1.9.2", "1.10.0"]);
    expect(list(all, { since: "2026-02-01T00:00:00Z" })).toEqual(["1.9.2", "1.10.0"]);
    expect(list(all, { since: "2026-02-01" })).toEqual(["1.9.2", "1.10.0"]);
    expect(list(all, { since: "2026-04-01T01:30:00+02:00" })).toEqual(["1.9.2"]);
    expect(list(all, { since: "2026-04-01T01:30:00 02:00" })).toEqual(["1.9.2"]);
    for (const since of ["yesterday", "1.2", "1.2.3garbage", "2026-02-30", "2026-01-01 and more", "12026"]) {
      expect(() => list(all, { since })).toThrow("neither a version");
    }
  });

  test("what is for few is nobody else's, and takes no place in the list", () => {
    const canary = note("1.11.0", "2026-05-01T00:00:00.000Z", { status: "canary" });
    const notes = [...all, canary, note("1.12.0", "2026-06-01T00:00:00Z")];
    expect(list(notes, { limit: 2 })).toEqual(["1.12.0", "1.9.2"]);
    expect(list(notes, { limit: 2 }, ({ version }) => version === "1.11.0")).toEqual(["1.12.0", "1.11.0"]);
  });
});

test("this release has notes of both programs", () => {
  const described = NOTES.filter(({ version }) => version === packageJson.version).map(({ product }) => product);
  expect(described.sort()).toEqual(["cc", "os"]);
});

onEachEngine("the route", (engine) => {
  const databases = panelDatabases(engine);

  test("is open, and strict about what it is asked", async () => {
    const panel = await createTestPanel(await databases.open());
    const { status, body } = await panel.call("GET /api/v1/release-notes?product=os&instance_id=node_1");
    expect(status).toBe(200);
    expect(body[0]).toMatchObject({ product: "os", version: packageJson.version, items: expect.any(Array) });
    expect(body[0].status).toBe("published");
    expect((await panel.call("GET /api/v1/release-notes?limit=1")).body).toHaveLength(1);
    expect((await panel.call("GET /api/v1/release-notes?limit=100&since=0.0.9")).body).toHaveLength(NOTES.length);
    expect((await panel.call(`GET /api/v1/release-notes?since=${packageJson.version}`)).body).toEqual([]);
    const refused = ["product=windows", "product=", "since=soon", "since=", "limit=0", "limit=101", "limit=1.5", "x=1"];
    for (const query of [...refused, `instance_id=${"n".repeat(65)}`]) {
      expect((await panel.call(`GET /api/v1/release-notes?${query}`)).status).toBe(400);
    }
  });
});
