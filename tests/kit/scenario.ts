import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import type { Answer, CallOptions, TestNode } from "./node-app.ts";

/** One fact about a route: what is asked and what comes back. */
export interface Scenario extends CallOptions {
  status: number;
  /** Code of the expected error. */
  code?: string;
  /** Field that the expected error names. */
  field?: string;
  /** Part of the expected body. */
  has?: object;
  /** Expected number of events by name; `*` stands for all names together. */
  events?: Record<string, number>;
}

/** What the node of a scenario knew before. */
export interface Beginning {
  /** Who set it up, with that password. */
  owner?: { username: string; password: string };
}

/** A scenario as a line of the file that `scenarios.test.ts` asks for, to put the same question to the compiled program. */
export interface WrittenScenario {
  what: string;
  route: string;
  row: Scenario;
  beginning: Beginning;
}

/**
 * Makes `scenario("what", "GET /api/x", row)` for a node that is made anew for each test. The compiled program must answer
 * alike, so nothing may have been done to that node but what `beginning` says.
 */
export function scenarios(node: () => TestNode, beginning: Beginning = {}) {
  return (what: string, route: string, row: Scenario): void => {
    const file = process.env["ORRERY_TEST_SCENARIOS"];
    if (file) appendFileSync(file, `${JSON.stringify({ what, route, row, beginning } satisfies WrittenScenario)}\n`);
    test(`${route}: ${what}`, async () => {
      await checkScenario(node(), route, row);
    });
  };
}

/** Calls a route once and compares; returns the answer for more. */
export async function checkScenario(node: TestNode, route: string, row: Scenario): Promise<Answer> {
  const { status, code, field, has, events, ...options } = row;
  await node.ctx.bus.idle();
  const before = node.events.length;
  const answer = await node.call(route, options);
  await node.ctx.bus.idle();
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  if (field !== undefined) expect(answer.body.params.field).toBe(field);
  if (has) expect(answer.body).toMatchObject(has);
  const names = node.events.slice(before).map(({ name }) => name);
  for (const [name, count] of Object.entries(events ?? {})) {
    const found = name === "*" ? names : names.filter((candidate) => candidate === name);
    expect({ [name]: found }).toEqual({ [name]: Array.from({ length: count }, (_, index) => found[index] ?? name) });
  }
  return answer;
}

/** Everything the database holds, to show that a refused call changed nothing. */
export function dumpDatabase({ ctx: { db } }: TestNode): unknown {
  const tables = db.raw
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  return tables.map(({ name }) => [name, db.raw.query(`SELECT * FROM ${name}`).all()]);
}
