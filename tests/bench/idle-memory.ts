import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, signIn } from "../kit/client.ts";
import { type Measure, ownerHeaders } from "./bench.ts";
import { memoryMb } from "./process-facts.ts";
import { dockerAttached, startBare, startNode } from "./programs.ts";

/** The node gives memory back in the second look after its last request (`src/kernel/give-back.ts`). */
const SETTLE_MS = 60_000;

/** What a dashboard asks for when it is opened. */
const FIRST_REQUESTS = [
  "auth/me",
  "apps",
  "operations",
  "system/runtime",
  "system/overview",
  "system/disks",
  "templates",
];

/** Memory of a node that nobody uses, before and after its owner has been there. */
export const idleMemory: Measure = {
  name: "memory",
  async run(bench) {
    const headers = await ownerHeaders(bench);
    const tiny = join(bench.folder.path, "tiny.json");
    writeFileSync(tiny, "[]");
    const running = await startNode(bench.folder.path, { probe: "/api/apps", headers });
    const baseline = await startBare(tiny);
    await dockerAttached(running);
    await Bun.sleep(SETTLE_MS);
    const idle = memoryMb(running.pid);
    const bare = memoryMb(baseline.pid);
    // Checking a password takes 64 MB for a moment; an idle node must have given them back.
    const owner = createClient(running.url, (await signIn(running.url)).token);
    for (let time = 0; time < 3; time++) for (const path of FIRST_REQUESTS) await owner.ok(`GET /api/${path}`);
    await Bun.sleep(SETTLE_MS);
    const used = memoryMb(running.pid);
    await running.stop();
    await baseline.stop();
    const after = `${SETTLE_MS / 1000} s after`;
    return [
      {
        measure: "idle memory, Docker events attached",
        value: idle.rss,
        unit: "MB",
        limit: { kind: "most", value: 80 },
        baseline: bare.rss,
        note: `VmRSS ${after} the start; ${idle.anonymous.toFixed(0)} MB of it not file-backed`,
      },
      {
        measure: "idle memory after sign-in and dashboard",
        value: used.rss,
        unit: "MB",
        limit: { kind: "most", value: 90 },
        baseline: bare.rss,
        note: `VmRSS ${after} the last request; ${used.anonymous.toFixed(0)} MB of it not file-backed`,
      },
    ];
  },
};
