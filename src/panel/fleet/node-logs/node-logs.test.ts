import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { holdSession } from "../../../../tests/kit/stream-nodes.ts";
import { until } from "../../../../tests/kit/until.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import type { ServeStream } from "../../../shared/agent-client/index.ts";

const line = (second: number, message: string) => ({
  ts: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000Z`,
  level: "info",
  source: "web.service",
  message,
});

interface Told {
  event: string;
  data: Record<string, unknown>;
  id: string;
}

onEachEngine("logs of nodes", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let listening: Listening;
  let ada: Person;
  let eve: Person;
  let asked: Record<string, unknown>[] = [];
  let ended = 0;
  /** What the nodes do when they are asked. */
  let serve: ServeStream = async () => {};
  const left: (() => void)[] = [];
  const closers: (() => unknown)[] = [];

  const serving =
    (canary: string): ServeStream =>
    async (stream) => {
      asked.push({ ...stream.params, canary });
      try {
        await serve({ ...stream, send: (data) => stream.send(data) });
      } finally {
        ended += 1;
      }
    };

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), { agent_listen: "127.0.0.1:0" });
    // TLS reads the real clock.
    panel.clock.jump(Date.now() - panel.clock.now());
    await panel.ctx.agentPort.start();
    listening = panel.listen();
    const nodes = createTestNodes(panel);
    ada = await panel.join("ada");
    eve = await panel.join("eve");
    for (const [person, id] of [
      [ada, "atlas"],
      [eve, "vega"],
    ] as const) {
      const services = { logs: serving(id) };
      closers.push((await holdSession(panel, nodes, { tenantId: person.tenant_id, id, services })).close);
    }
    closers.push((await holdSession(panel, nodes, { tenantId: ada.tenant_id, id: "old", services: {} })).close);
    await nodes.enrol(ada.tenant_id, "away");
    await until(() => panel.ctx.agentPort.streamState("vega", eve.tenant_id, "logs") === "ready", { everyMs: 5 });
  });
  afterAll(async () => {
    for (const close of closers) close();
    await listening.stop();
    await panel.ctx.agentPort.stop();
  });
  beforeEach(() => {
    asked = [];
    ended = 0;
  });
  // What one test began must not end in the next one.
  afterEach(async () => {
    for (const leave of left.splice(0)) leave();
    await until(() => ended === asked.length, { everyMs: 5, what: "the end of all streams" });
  });

  /** Opens a stream as a browser does; `told` grows while it is read. */
  async function open(path: string, { token = ada.token, headers = {}, isRead = true } = {}) {
    const abort = new AbortController();
    left.push(() => abort.abort());
    const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: abort.signal,
    });
    if (!response.ok) return { status: response.status, body: JSON.parse(await response.text()), told: [] as Told[] };
    const told: Told[] = [];
    let isOver = false;
    async function read(): Promise<void> {
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        for (const part of parts) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
          const event = field("event");
          if (event !== undefined) told.push({ event, data: JSON.parse(field("data") ?? "{}"), id: field("id") ?? "" });
        }
      }
    }
    if (isRead)
      void read()
        .catch(() => {})
        .finally(() => {
          isOver = true;
        });
    return { status: response.status, body: null, told, leave: () => abort.abort(), isOver: () => isOver };
  }
  const stream = (id: string, query = "") => `/api/fleet/instances/${id}/logs/stream${query}`;
  const hears = (told: Told[], event: string) =>
    until(() => told.find((each) => each.event === event), { everyMs: 5, what: event });

  test("ready, what the node has, and the end; every parameter reaches the node", async () => {
    serve = async ({ send }) => {
      await send({ lines: [line(1, "one"), { ...line(2, "two"), newer_field: 1 }] });
      await send({ lines: [line(3, "three")] });
    };
    const query =
      "?source=journal&unit=ssh&unit=cron.service&level=warn&since=1h30m&lines=50&follow=false&grep=fail.*d";
    const { told } = await open(stream("atlas", query));
    await hears(told, "end");
    expect(told).toEqual([
      { event: "ready", id: "", data: { command_id: expect.stringMatching(/^cmd_/) } },
      { event: "batch", id: line(2, "").ts, data: { lines: [line(1, "one"), line(2, "two")] } },
      { event: "batch", id: line(3, "").ts, data: { lines: [line(3, "three")] } },
      { event: "end", id: "", data: {} },
    ]);
    const wanted = { source: "journal", units: ["ssh", "cron.service"], app: null, level: "warn", lines: 50 };
    expect(asked).toEqual([
      { ...wanted, since: null, within_ms: 5_400_000, follow: false, grep: "fail.*d", canary: "atlas" },
    ]);
    await hears((await open(stream("atlas", "?app=blog&since=2026-01-01T01:00:00%2B01:00"))).told, "end");
    expect(asked[1]).toMatchObject({
      source: "app",
      app: "blog",
      since: "2026-01-01T00:00:00.000Z",
      lines: 200,
      follow: true,
    });
  });

  test("a reader goes on behind the last line that it knows", async () => {
    serve = ({ send }) => send({ lines: [line(1, "one"), line(2, "two"), line(3, "three")] });
    const { told } = await open(stream("atlas", "?lines=5"), { headers: { "last-event-id": line(2, "").ts } });
    await hears(told, "end");
    expect(told[1]?.data).toEqual({ lines: [line(3, "three")] });
    expect(asked[0]).toMatchObject({ since: line(2, "").ts, lines: 5_000 });
  });

  test.each([
    ["?app=blog&source=journal", "app"],
    ["?source=app", "app"],
    ["?app=blog&unit=ssh", "unit"],
    ["?since=yesterday", "since"],
    ["?grep=(", "grep"],
    ["?lines=5001", "lines"],
    ["?level=fatal", "level"],
    ["?unit=--vacuum-size=1", "unit"],
    ["?color=1", "color"],
  ])("%s is refused before the node is asked", async (query, field) => {
    const { status, body } = await open(stream("atlas", query));
    expect([status, body?.code]).toEqual([400, "invalid_request"]);
    expect(JSON.stringify(body?.params)).toContain(field);
    expect(asked).toEqual([]);
  });

  test("a node that is away, too old, or of another workspace is told apart", async () => {
    const refusal = async (id: string) => {
      const { status, body } = await open(stream(id));
      return `${status} ${body?.code}`;
    };
    expect(await refusal("away")).toBe("409 agent_offline");
    expect(await refusal("old")).toBe("409 agent_outdated");
    const { body: words } = await open(stream("old"));
    expect(words?.message).toMatch(/too old to show its logs here\. Update the node, or read them/);
    expect(await refusal("vega")).toBe("404 node_not_found");
    expect(await refusal("nobody")).toBe("404 node_not_found");
    const viewer = await panel.invite(ada, `viewer${engine}`, "org_viewer");
    expect((await open(stream("atlas"), { token: viewer.token })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test("what one workspace reads never reaches another, whoever asks at the same time", async () => {
    serve = async ({ params, send }) => {
      for (let no = 0; no < 300; no++) await send({ lines: [line(no % 60, `${params["app"]}-canary`)] });
    };
    const readers = await Promise.all(
      Array.from({ length: 8 }, (_, no) =>
        no % 2 === 0 ? open(stream("atlas", "?app=ada")) : open(stream("vega", "?app=eve"), { token: eve.token }),
      ),
    );
    for (const { told } of readers) await hears(told, "end");
    for (const [no, { told }] of readers.entries()) {
      const text = JSON.stringify(told);
      expect(text).toContain(no % 2 === 0 ? "ada-canary" : "eve-canary");
      expect(text).not.toContain(no % 2 === 0 ? "eve-canary" : "ada-canary");
    }
    expect(asked.filter(({ canary, app }) => (canary === "atlas") !== (app === "ada"))).toEqual([]);
  });

  test("the node stops when the reader leaves, and the reader is told when the node fails or goes", async () => {
    serve = ({ signal, send }) =>
      send({ lines: [line(1, "one")] }).then(
        () => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      );
    const first = await open(stream("atlas"));
    await hears(first.told, "batch");
    first.leave?.();
    await until(() => ended === 1, { everyMs: 5, what: "the end on the node" });
    serve = () => Promise.reject(kernelFail("not_found"));
    expect((await hears((await open(stream("atlas"))).told, "error")).data).toMatchObject({ code: "not_found" });
    serve = () => Promise.reject(new Error("secret words"));
    const broken = await open(stream("atlas"));
    expect((await hears(broken.told, "error")).data["code"]).toBe("internal");
    expect(JSON.stringify(broken.told)).not.toContain("secret");
    serve = ({ send }) => send({ lines: "nothing of the kind" });
    expect((await hears((await open(stream("atlas"))).told, "error")).data["code"]).toBe("agent_garbled");
  });

  test("a browser that stalls stops the node, not the panel", async () => {
    let sent = 0;
    const lines = [line(1, "x".repeat(10_000))];
    serve = async ({ send, signal }) => {
      for (let no = 0; no < 10_000 && !signal.aborted; no++) {
        await send({ lines });
        sent += 10_000;
      }
    };
    const { leave } = await open(stream("atlas"), { isRead: false });
    let before = -1;
    await until(
      async () => {
        // Long enough for the node to be granted more, if it were only for the workspace's share.
        await panel.clock.advance(2_000);
        const isStill = sent > 0 && sent === before;
        before = sent;
        return isStill;
      },
      { everyMs: 200, timeoutMs: 20_000, what: "the stall" },
    );
    // What the system's own buffers between two sockets take is not the panel's.
    expect(sent).toBeLessThan(20_000_000);
    leave?.();
    await until(() => ended === 1, { everyMs: 5 });
  });

  test("one account has room for so many, and again when one of them ends", async () => {
    serve = ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    const opened = [];
    for (let no = 0; no < 10; no++) opened.push(await open(stream("atlas")));
    for (const { told } of opened) await hears(told, "ready");
    expect(await open(stream("atlas"))).toMatchObject({ status: 429, body: { code: "log_streams_full" } });
    expect((await open(stream("vega"), { token: eve.token })).status).toBe(200);
    opened[0]?.leave?.();
    await until(async () => (await open(stream("atlas"))).status === 200, { everyMs: 20 });
  });

  function connect(id: string, query = "", token = ada.token) {
    const client = new WebSocket(`ws://127.0.0.1:${listening.port}/api/fleet/instances/${id}/logs/ws${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    left.push(() => client.close());
    const told: Record<string, unknown>[] = [];
    const seen = { isClosed: false };
    client.onmessage = ({ data }) => void told.push(JSON.parse(data));
    client.onclose = () => {
      seen.isClosed = true;
    };
    return { told, isClosed: () => until(() => seen.isClosed, { everyMs: 5 }), leave: () => client.close() };
  }

  test("the same over a socket", async () => {
    serve = ({ send }) => send({ lines: [line(1, "one")] });
    const whole = connect("atlas", "?lines=5&follow=false");
    await whole.isClosed();
    expect(whole.told).toEqual([
      { type: "ready", command_id: expect.any(String) },
      { type: "batch", lines: [line(1, "one")] },
      { type: "end" },
    ]);
    expect(asked[0]).toMatchObject({ lines: 5, follow: false });
    for (const [id, query, code] of [
      ["away", "", "agent_offline"],
      ["old", "", "agent_outdated"],
      ["vega", "", "node_not_found"],
      ["atlas", "?source=app", "invalid_request"],
    ] as const) {
      const refused = connect(id, query);
      await refused.isClosed();
      expect(refused.told).toEqual([{ type: "error", code, error: expect.any(String) }]);
    }
    for (const token of ["none", (await panel.invite(ada, `reader${engine}`, "org_viewer")).token]) {
      const stranger = connect("atlas", "", token);
      await stranger.isClosed();
      expect(stranger.told).toEqual([]);
    }
    expect(asked).toHaveLength(1);
  });

  test("a socket that is closed ends what the node does", async () => {
    serve = ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    const { told, leave } = connect("atlas");
    await until(() => told.length === 1, { everyMs: 5 });
    leave();
    await until(() => ended === 1, { everyMs: 5 });
  });
});
