/** Who may touch a table: only the area that made it writes to it, and only areas after that one read it. */
import { expect, test } from "bun:test";
import { AREAS, type Place, placeOf } from "./areas.ts";
import { isTest, readSources } from "./sources.ts";

const MAKES = /CREATE TABLE (?:IF NOT EXISTS )?([a-z_0-9]+)/g;
const TOUCHES = /\b(FROM|JOIN|INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_0-9]+)/g;

const statements = await readSources("src/**/*.ts", "src/**/*.sql");

/** The area that made each table, by program and name. */
const makers = new Map<string, string>();
for (const { path, text } of statements) {
  const place = placeOf(path);
  if (!place || isTest(path)) continue;
  for (const [, table] of text.matchAll(MAKES)) makers.set(`${place.program} ${table}`, place.area);
}

/** What a statement of a place does that it may not, in words; null when it may. */
function judge({ program, area }: Place, verb: string, table: string): string | null {
  const maker = makers.get(`${program} ${table}`);
  if (maker === undefined || maker === area) return null;
  if (verb !== "FROM" && verb !== "JOIN") return `writes to ${table} of ${maker}`;
  const order: readonly string[] = AREAS[program];
  return order.indexOf(maker) > order.indexOf(area) ? `reads ${table} of ${maker}, which comes after it` : null;
}

test("the tables of both programs are found", () => {
  expect(makers.get("node sessions")).toBe("people");
  expect(makers.get("panel nodes")).toBe("agents");
});

test("an area writes to its own tables only, and reads those of areas before it", () => {
  const broken = statements.flatMap(({ path, text }) => {
    const place = isTest(path) ? null : placeOf(path);
    if (!place) return [];
    return [...text.matchAll(TOUCHES)].flatMap(([, verb = "", table = ""]) => {
      const wrong = judge(place, verb, table);
      return wrong === null ? [] : [`${path} ${wrong}`];
    });
  });
  expect(broken).toEqual([]);
});
