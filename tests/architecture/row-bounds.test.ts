/** Every table of both programs has a line that says what bounds its rows, and what the line names is there. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { migrate } from "../../src/kernel/db/migrate.ts";
import { catalogueMigrations } from "../../src/node/storage/object-store/catalogue-migrations.ts";
import { schema } from "../../src/panel/agents/samples/schema.ts";
import { createTestNode } from "../kit/node-app.ts";
import { panelDatabases } from "../kit/sql-databases.ts";
import { isTest, readSources } from "./sources.ts";
import {
  CATALOGUE_TABLES,
  NODE_TABLES,
  PANEL_TABLES,
  SAMPLE_TABLES,
  SERIES_TABLES,
  WORKING_TABLES,
} from "./table-bounds.ts";

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
const MAKES = /CREATE TABLE (?:IF NOT EXISTS )?([a-z][a-z_0-9]+) ?\(/g;

const namesIn = (db: Database): string[] =>
  db
    .query<{ name: string }, []>(TABLES)
    .all()
    .map(({ name }) => name);
const linesOf = (lines: Readonly<Record<string, string>>): string[] => Object.keys(lines).sort();

const node = createTestNode();
afterAll(() => node.close());
const panels = panelDatabases("sqlite");

/** A database that is made here alone. */
function made(prepare: (db: Database) => unknown): string[] {
  const db = new Database(":memory:");
  prepare(db);
  const names = namesIn(db);
  db.close();
  return names;
}

test("every table of a node has a line, and every line a table", () => {
  expect(namesIn(node.ctx.db.raw)).toEqual(linesOf(NODE_TABLES));
  expect(namesIn(node.ctx.metricsDb)).toEqual(linesOf(SERIES_TABLES));
  const catalogue = made((db) => migrate(db, catalogueMigrations, "2026-01-01T00:00:00.000Z", () => {}));
  expect(catalogue).toEqual(linesOf(CATALOGUE_TABLES));
});

test("every table of a panel has a line, and every line a table", async () => {
  const db = await panels.open();
  const rows = await db.all<{ name: string }>(TABLES);
  expect([...rows.map(({ name }) => name), "panel_lease"].sort()).toEqual(linesOf(PANEL_TABLES));
  expect(made((samples) => samples.run(schema("sqlite")))).toEqual(linesOf(SAMPLE_TABLES));
});

test("tables that code makes besides have lines too, and what lines name stands in the sources", async () => {
  const sources = (await readSources("src/**/*.ts", "src/**/*.sql")).filter(({ path }) => !isTest(path));
  const lists = [NODE_TABLES, SERIES_TABLES, CATALOGUE_TABLES, PANEL_TABLES, SAMPLE_TABLES];
  const known = new Set(lists.flatMap((list) => Object.keys(list)));
  const working = new Set(
    sources
      .filter(({ path }) => path.endsWith(".ts"))
      .flatMap(({ text }) => [...text.matchAll(MAKES)].flatMap(([, name = ""]) => name))
      .filter((name) => !known.has(name)),
  );
  expect([...working].sort()).toEqual(linesOf(WORKING_TABLES));
  const words = [...lists, WORKING_TABLES]
    .flatMap((list) => Object.values(list))
    .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].flatMap(([, word = ""]) => word));
  expect(words.length).toBeGreaterThan(80);
  const missing = [...new Set(words)].filter((word) => !sources.some(({ text }) => text.includes(word)));
  expect(missing).toEqual([]);
});
