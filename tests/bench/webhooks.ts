import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase } from "../../src/kernel/db/open.ts";
import { createStore } from "../../src/kernel/db/store.ts";
import { createSeal } from "../../src/kernel/seal.ts";
import { systemClock, toIso } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { openData } from "../../src/node/open-data.ts";
import { insertDelivery, insertMessage } from "../../src/node/platform/webhooks/delivery-store.ts";
import { formatSecret } from "../../src/node/platform/webhooks/sign.ts";
import { insertWebhook } from "../../src/node/platform/webhooks/store.ts";
import { until } from "../kit/until.ts";
import type { Measure } from "./bench.ts";
import { memoryMb } from "./process-facts.ts";
import { startNode } from "./programs.ts";
import type { Figure } from "./table.ts";

const DELIVERIES = 10_000;
/** So many more show whether memory grows with their number: the runtime collects its garbage about once in 30,000. */
const MANY = 60_000;

/** A data folder whose node was stopped with all deliveries still to be made. */
function seed(path: string, url: string, webhookCount: number, deliveries: number): void {
  const { mainDb, metricsDb, sealKey } = openData(path, systemClock);
  const db = createStore(mainDb);
  const seal = createSeal(sealKey);
  const ids = createIds(systemClock.now);
  const now = systemClock.now();
  db.tx(() => {
    const hooks = Array.from({ length: webhookCount }, () => ids.next("whk"));
    for (const id of hooks) {
      const secret = seal.seal(id, formatSecret(crypto.getRandomValues(new Uint8Array(32))));
      insertWebhook(db, { id, url, events: '["*"]', secret, active: 1, created_at: toIso(now), created_by: null });
    }
    for (let number = 0; number < deliveries / webhookCount; number++) {
      const id = ids.next("evt");
      const data = { app_id: ids.next("app"), name: "wiki", template: "dokuwiki", status: "running" };
      const envelope = { id, type: "app.started", timestamp: toIso(now), instance_id: "node_bench", data };
      insertMessage(db, { id, type: "app.started", body: JSON.stringify(envelope) });
      for (const webhook_id of hooks)
        insertDelivery(db, {
          id: ids.next("dlv"),
          webhook_id,
          message_id: id,
          manual: 0,
          due_at: now,
          created_at: now,
        });
    }
  });
  closeDatabase(metricsDb);
  closeDatabase(mainDb);
}

interface Drained {
  perSecond: number;
  /** Memory of the node after `DELIVERIES` and its highest after that, in MB. */
  warm: number;
  highest: number;
}

/** Starts a node on all deliveries and waits until a local receiver has them. */
async function drain(webhookCount: number, deliveries: number): Promise<Drained> {
  const path = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  const seen = new Set<string>();
  let first = 0;
  let last = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      first ||= performance.now();
      last = performance.now();
      seen.add(`${request.headers.get("webhook-id")} ${request.headers.get("x-service-signature")}`);
      return new Response();
    },
  });
  seed(path, `http://127.0.0.1:${server.port}/hook`, webhookCount, deliveries);
  const node = await startNode(path, {
    probe: "/api/auth/lock-info",
    env: { SERVICE_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  let warm = 0;
  let highest = 0;
  await until(
    () => {
      const { rss } = memoryMb(node.pid);
      if (seen.size >= DELIVERIES) warm ||= rss;
      if (seen.size >= DELIVERIES) highest = Math.max(highest, rss);
      return seen.size === deliveries;
    },
    { timeoutMs: 120_000, everyMs: 50, what: `${deliveries} deliveries` },
  );
  await node.stop();
  await server.stop(true);
  rmSync(path, { recursive: true, force: true });
  return { perSecond: (deliveries / (last - first)) * 1000, warm, highest };
}

function rate(webhookCount: number, deliveries: number, { perSecond }: Drained): Figure {
  return {
    measure: `${deliveries} deliveries to ${webhookCount === 1 ? "1 webhook" : `${webhookCount} webhooks`}`,
    value: perSecond,
    unit: "/s",
    limit: { kind: "least", value: 500 },
    baseline: null,
    note: "signed, sent to a receiver on this machine, recorded on disk",
  };
}

/** How fast a queue of webhook deliveries drains, and whether it costs memory that does not come back. */
export const webhookRate: Measure = {
  name: "webhooks",
  async run() {
    const four = await drain(4, DELIVERIES);
    const one = await drain(1, MANY);
    return [
      rate(4, DELIVERIES, four),
      rate(1, MANY, one),
      {
        measure: `memory gained by ${MANY - DELIVERIES} more deliveries`,
        value: one.highest - one.warm,
        unit: "MB",
        limit: { kind: "most", value: 40 },
        baseline: null,
        note: `highest VmRSS (${one.highest.toFixed(0)} MB, garbage included) less that after ${DELIVERIES}`,
      },
    ];
  },
};
