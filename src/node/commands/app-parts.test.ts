import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { createSeal, loadSealKey } from "../../kernel/seal.ts";
import { createHost } from "../../kernel/service/host.ts";
import { nodeId } from "../apps/apps/index.ts";
import { findAppParts } from "./app-parts.ts";

const root = makeScratch("parts");
const socket = join(root, "docker.sock");
mkdirSync(join(root, "data"));
const ours = { "orrery.node": nodeId(createSeal(loadSealKey(join(root, "data/node.key"), true))) };

/** What the engine answers: containers that all have the label, one because its image, an app that somebody committed, brings it. */
const answers: Record<string, unknown> = {
  "/containers/json": [
    { Id: "1", Names: ["/orrery-notes-web"], ImageID: "committed" },
    { Id: "2", Names: ["/renamed"], ImageID: "plain" },
    { Id: "3", Names: ["/mine"], ImageID: "committed" },
  ],
  "/images/committed/json": { Config: { Labels: ours } },
  "/images/plain/json": { Config: { Labels: null } },
  "/networks": [{ Id: "4", Name: "orrery-notes" }],
  "/volumes": { Volumes: [{ Name: "orrery-app_1-data" }] },
};
let server: { stop(now: boolean): unknown };
beforeAll(() => {
  server = Bun.serve({ unix: socket, fetch: ({ url }) => Response.json(answers[new URL(url).pathname] ?? null) });
});
afterAll(() => {
  server.stop(true);
  rmSync(root, { recursive: true });
});

test("what only its image calls an app's is not removed with the node", async () => {
  const env = { ORRERY_DATA: "/data", ORRERY_DOCKER_SOCKET: socket };
  const parts = await findAppParts(createHost({ root }), env);
  expect(parts.map((part) => "what" in part && part.what)).toEqual([
    "container orrery-notes-web",
    "container renamed",
    "network orrery-notes",
    "volume orrery-app_1-data",
  ]);
});
