import { afterEach, beforeEach } from "bun:test";
import { createTestNode, type TestNode } from "./node-app.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

/** Configuration under which webhooks may reach a receiver on loopback. */
export const HOOKED = { session_rate: "100000", webhook_allow_cidrs: "127.0.0.0/8" };

/** What every event of `emit` is about. */
export const APP = { app_id: "app_1", name: "wiki", template: "dokuwiki", status: "running" } as const;

/** Answers that refuse. */
export const failing =
  (status = 500, headers: Record<string, string> = {}) =>
  () =>
    new Response("no", { status, headers });

/** A fresh node and a fresh receiver for each test of a file, and what such tests do all the time. */
export function useHookedNode() {
  let node: TestNode;
  let receiver: Receiver;
  beforeEach(() => {
    node = createTestNode(HOOKED);
    receiver = startReceiver();
  });
  afterEach(async () => {
    await node.ctx.webhooks.settled();
    node.close();
    await receiver.stop();
  });
  const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
  const settled = () => node.ctx.webhooks.settled();
  return {
    get node() {
      return node;
    },
    get receiver() {
      return receiver;
    },
    call,
    settled,
    /** Adds a webhook to the receiver, for everything unless told; the answer with its secret. */
    make: async (change: Record<string, unknown> = {}) =>
      (await call("POST /api/webhooks", { url: receiver.url, events: ["*"], ...change })).body,
    /** Turns the clock and waits until all that fell due was tried. */
    async pass(ms: number) {
      await node.clock.advance(ms);
      await settled();
    },
    /** Lets an app start and waits until that was tried. */
    async emit() {
      node.ctx.bus.emit("app.started", APP);
      await settled();
    },
    log: async (id: string, query = "") => (await call(`GET /api/webhooks/${id}/deliveries${query}`)).body,
    health: async () => (await call("GET /api/webhooks/health")).body,
  };
}
