import { expect } from "bun:test";
import type { TestNode } from "./node-app.ts";
import { makeScratch } from "./scratch.ts";
import { until } from "./until.ts";

/** Asks as an admin. */
export const post = (node: TestNode, path: string, body?: unknown) => node.call(`POST ${path}`, { as: "admin", body });
/** What an admin reads there. */
export const get = async (node: TestNode, path: string) => (await node.call(`GET ${path}`, { as: "admin" })).body;

/** How an operation ended. */
export async function untilOver(node: TestNode, opId: string): Promise<string> {
  return await until(() => {
    const { status } = node.ctx.operations.get(opId);
    return status === "running" ? null : status;
  });
}

/** Adds a folder as a target, a new one unless told. */
export async function addTarget(node: TestNode, path = makeScratch("target"), more: object = {}) {
  const { status, body } = await post(node, "/api/backup/targets", { type: "local", name: "disk", path, ...more });
  expect(status).toBe(200);
  return { id: String(body.id), path };
}

/** Backs the settings up; the backup as the list has it then. */
export async function backUp(node: TestNode, target: string) {
  const { status, body } = await post(node, "/api/backups", { target, apps: [], include_config: true });
  expect([status, body.status, body.target, body.apps]).toEqual([200, "in_progress", target, []]);
  await untilOver(node, body.op_id);
  return (await get(node, "/api/backups")).find(({ id }: { id: string }) => id === body.id);
}
