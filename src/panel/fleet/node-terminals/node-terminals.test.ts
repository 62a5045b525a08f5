import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { type HeldNode, holdSession } from "../../../../tests/kit/stream-nodes.ts";
import { until } from "../../../../tests/kit/until.ts";
import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { days, minutes, seconds } from "../../../lib/duration.ts";
import type { ServedStream, ServeStream } from "../../../shared/agent-client/index.ts";

const b64 = (text: string) => ({ bytes: Buffer.from(text).toString("base64") });

onEachEngine("terminals on nodes", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let listening: Listening;
  let ada: Person;
  let eve: Person;
  let count = 0;
  /** Terminals that a node was asked for. */
  let opened: {
    node: string;
    stream: ServedStream;
    typed: string;
    words: Record<string, unknown>[];
    isOver: boolean;
  }[] = [];
  let serve: ServeStream | null = null;
  const held: HeldNode[] = [];
  const left: (() => void)[] = [];

  /** A shell that says back what is typed, and leaves at `exit`. */
  const shellOf =
    (node: string): ServeStream =>
    async (stream) => {
      const own = { node, stream, typed: "", words: [] as Record<string, unknown>[], isOver: false };
      opened.push(own);
      try {
        if (serve) return await serve(stream);
        await stream.send({ word: { type: "ready", command: ["sh"] } });
        for await (const item of stream.input) {
          const { bytes, word } = item as { bytes?: string; word?: Record<string, unknown> };
          if (word) own.words.push(word);
          if (bytes === undefined) continue;
          const text = Buffer.from(bytes, "base64").toString();
          own.typed += text;
          if (text === "exit") return await stream.send({ word: { type: "exit", exit_code: 0 } });
          await stream.send(b64(`${node}: ${text}`));
        }
      } finally {
        own.isOver = true;
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
    const hold = async (person: Person, id: string, services: Record<string, ServeStream>) =>
      held.push(await holdSession(panel, nodes, { tenantId: person.tenant_id, id, services }));
    await hold(ada, "atlas", { terminal: shellOf("atlas"), "host-terminal": shellOf("atlas") });
    await hold(ada, "boreas", { terminal: shellOf("boreas") });
    await hold(eve, "vega", { terminal: shellOf("vega") });
    await hold(ada, "old", {});
    await nodes.enrol(ada.tenant_id, "away");
  });
  afterAll(async () => {
    for (const { close } of held) close();
    await listening.stop();
    await panel.ctx.agentPort.stop();
  });
  const stayInTouch = () => Promise.all(held.map(({ beat }) => beat()));
  // The time that other tests let pass must not make a node silent here.
  beforeEach(async () => {
    opened = [];
    serve = null;
    await stayInTouch();
  });
  afterEach(async () => {
    for (const leave of left.splice(0)) leave();
    await until(() => opened.every(({ isOver }) => isOver), { everyMs: 5, what: "the ends on the nodes" });
  });

  const ask = (node: string, token: string, body: object | undefined = { app: "blog" }) =>
    panel.call(`POST /api/fleet/instances/${node}/terminal/ticket`, { token, body });
  const freshToken = () => panel.signIn(ada);

  function open(node: string, ticket: string, query = "") {
    const client = new WebSocket(
      `ws://127.0.0.1:${listening.port}/api/fleet/instances/${node}/terminal/ws?ticket=${ticket}${query}`,
    );
    client.binaryType = "arraybuffer";
    const told: Record<string, unknown>[] = [];
    const seen = { text: "", isClosed: false };
    client.onmessage = ({ data }) => {
      if (typeof data === "string") told.push(JSON.parse(data));
      else seen.text += Buffer.from(data).toString();
    };
    client.onclose = () => {
      seen.isClosed = true;
    };
    left.push(() => client.close());
    return {
      told,
      seen,
      type: (text: string) => client.send(new TextEncoder().encode(text)),
      say: (word: object) => client.send(JSON.stringify(word)),
      leave: () => client.close(),
      hears: (type: string) => until(() => told.find((each) => each["type"] === type), { everyMs: 5, what: type }),
      isClosed: () => until(() => seen.isClosed, { everyMs: 5, what: "the close" }),
    };
  }
  async function openWhole(node = "atlas", token?: string, query = "") {
    const { body } = await ask(node, token ?? (await freshToken()));
    const terminal = open(node, body.ticket, query);
    await terminal.hears("ready");
    return terminal;
  }
  /** Lets time pass for the panel, in which its nodes stay in touch. */
  async function pass(ms: number): Promise<void> {
    for (let rest = ms; rest > 0; rest -= seconds(100)) {
      await panel.clock.advance(Math.min(rest, seconds(100)));
      await stayInTouch();
    }
  }
  const audited = (action: string, tenant = ada.tenant_id) =>
    panel
      .tenant(tenant)
      .all<{ details: string }>(
        "SELECT details FROM audit_entries WHERE tenant_id = :tenant AND action = ? ORDER BY id",
        [action],
      );

  test("what is typed arrives, what is said comes back, sizes go along, and the end is told and on record", async () => {
    const before = {
      starts: (await audited("fleet.terminal.start")).length,
      tickets: (await audited("fleet.terminal.ticket")).length,
    };
    const { status, body } = await ask("atlas", await freshToken());
    expect(status).toBe(200);
    expect(body).toEqual({
      ticket: expect.any(String),
      expires_in: 30,
      ws_path: "/api/fleet/instances/atlas/terminal/ws",
    });
    const terminal = open("atlas", body.ticket, "&cols=120&rows=40");
    expect(await terminal.hears("ready")).toEqual({
      ...{ type: "ready", session_id: expect.stringMatching(/^trm_/), idle_timeout_sec: 900, max_duration_sec: 7_200 },
      recorded: false,
    });
    terminal.type("grüße");
    await until(() => terminal.seen.text === "atlas: grüße", { everyMs: 5 });
    terminal.say({ type: "resize", cols: 100, rows: 30 });
    for (const cols of [0, 501, 1.5, "80"]) terminal.say({ type: "resize", cols, rows: 30 });
    await until(() => opened[0]?.words.length === 2, { everyMs: 5 });
    expect(opened[0]?.words).toEqual([
      { type: "resize", columns: 120, rows: 40 },
      { type: "resize", columns: 100, rows: 30 },
    ]);
    terminal.type("exit");
    expect(await terminal.hears("exit")).toEqual({ type: "exit", reason: "exited" });
    await terminal.isClosed();
    const end = (await audited("fleet.terminal.end")).at(-1);
    expect(JSON.parse(end?.details ?? "{}")).toMatchObject({ app: "blog", reason: "exited" });
    expect((await audited("fleet.terminal.start")).length - before.starts).toBe(1);
    expect((await audited("fleet.terminal.ticket")).length - before.tickets).toBe(1);
    expect(
      JSON.stringify(await panel.tenant(ada.tenant_id).all("SELECT * FROM audit_entries WHERE tenant_id = :tenant")),
    ).not.toContain("grüße");
  });

  test("without an app it is the server itself, and a server whose terminal is off says so", async () => {
    const ticket = async () => (await ask("atlas", await freshToken(), {})).body.ticket;
    const first = open("atlas", await ticket());
    await first.hears("ready");
    expect(opened[0]?.stream.params).toEqual({});
    expect(JSON.parse((await audited("fleet.terminal.start")).at(-1)?.details ?? "{}")).toMatchObject({ app: "" });
    first.leave();
    serve = () => Promise.reject(new AppError("host_terminal_off", [409, "The terminal of this server is off."], {}));
    expect((await open("atlas", await ticket()).hears("error"))?.["code"]).toBe("shell_disabled");
    serve = async (stream) => {
      await stream.send({ word: { type: "ready" } });
      await stream.send({ word: { type: "ended", reason: "turned_off", message: "An admin turned it off." } });
    };
    expect(await open("atlas", await ticket()).hears("error")).toMatchObject({
      code: "shell_disabled",
      error: "An admin turned it off.",
    });
  });

  test("a ticket opens one terminal, on its node, within 30 seconds", async () => {
    const ticket = async (node = "atlas") => (await ask(node, await freshToken())).body.ticket;
    const refused = async (terminal: ReturnType<typeof open>) => {
      await terminal.isClosed();
      expect(terminal.told).toEqual([{ type: "error", code: "terminal_ticket_used", error: expect.any(String) }]);
    };
    const first = await ticket();
    await open("atlas", first).hears("ready");
    await refused(open("atlas", first));
    await refused(open("atlas", "made-up"));
    const other = await ticket();
    await refused(open("boreas", other));
    // Whoever tried it has used it up.
    await refused(open("atlas", other));
    const late = await ticket();
    await panel.clock.advance(seconds(31));
    await refused(open("atlas", late));
    const ended = await panel.invite(ada, `leaver${engine}`, "org_admin");
    const theirs = (await ask("atlas", ended.token)).body.ticket;
    await panel.system.run("UPDATE members SET status = 'disabled' WHERE id = ?", [ended.member_id]);
    await refused(open("atlas", theirs));
    expect(opened).toHaveLength(1);
  });

  test("a workspace that wants it has what terminals show recorded, and can tell when that was changed", async () => {
    const record = (isOn: number) =>
      panel.system.run("UPDATE tenants SET record_terminal_sessions = ? WHERE tenant_id = ?", [isOn, ada.tenant_id]);
    const token = await freshToken();
    const at = "/api/fleet/instances/boreas/terminal-recordings";
    const list = async () => (await panel.call(`GET ${at}`, { token: await freshToken() })).body;
    expect(await list()).toMatchObject({ is_on: false, items: [] });
    await record(1);
    const terminal = await openWhole("boreas", token, "&cols=120&rows=40");
    expect(await terminal.hears("ready")).toMatchObject({ recorded: true });
    terminal.type("grüße");
    await until(() => terminal.seen.text === "boreas: grüße", { everyMs: 5 });
    terminal.say({ type: "resize", cols: 100, rows: 30 });
    await until(() => opened[0]?.words.length === 2, { everyMs: 5 });
    expect((await list()).items).toMatchObject([{ state: "open" }]);
    terminal.type("exit");
    await terminal.isClosed();
    await until(async () => (await list()).items[0]?.state === "whole", { everyMs: 10 });
    const { is_on, items } = await list();
    const [{ id }] = items;
    expect([is_on, items]).toMatchObject([true, [{ app: "blog", by: { member_id: ada.member_id, name: "ada" } }]]);
    const url = `http://127.0.0.1:${listening.port}${at}/${id}`;
    const read = async (person: Person) =>
      fetch(url, { headers: { authorization: `Bearer ${await panel.signIn(person)}` } });
    const answer = await read(ada);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-asciicast"]);
    const [header, ...events] = (await answer.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ version: 2, width: 120, height: 40, title: "blog on boreas" });
    const shown = events.filter(([, kind]) => kind === "o").map(([, , text]) => text);
    expect(shown.join("")).toBe(terminal.seen.text);
    expect(events.filter(([, kind]) => kind !== "o")).toEqual([[expect.any(Number), "r", "100x30"]]);
    const looked = (await audited("fleet.terminal.recording_read")).map(({ details }) => JSON.parse(details));
    expect(looked).toEqual([{ recording_id: id, app: "blog", who: "ada" }]);
    const viewer = await panel.invite(ada, `watcher${engine}`, "org_viewer");
    expect([(await read(viewer)).status, (await read(eve)).status]).toEqual([403, 404]);

    const path = join(panel.ctx.config.data_dir, "recordings", ada.tenant_id, `${id}.cast`);
    const bytes = readFileSync(path);
    expect(bytes.includes("boreas")).toBe(false);
    for (const changed of [bytes.subarray(0, bytes.length - 1), Buffer.from(bytes).fill(0, 40, 41), Buffer.alloc(0)]) {
      writeFileSync(path, changed);
      const refused = await read(ada);
      expect([refused.status, await refused.json()]).toMatchObject([500, { code: "recording_damaged" }]);
    }
    writeFileSync(path, bytes);
    // A panel that is killed leaves it open, and half a chunk at its end.
    await panel.system.run("UPDATE terminal_recordings SET state = 'open', chunks = 1, chain = '' WHERE id = ?", [id]);
    appendFileSync(path, Buffer.from([0, 0, 1, 0, 7]));
    const first = (await read(ada)).status;
    expect(first).toBe(500);
    await panel.system.run("UPDATE terminal_recordings SET chunks = 0 WHERE id = ?", [id]);
    expect((await (await read(ada)).text()).includes("grüße")).toBe(true);
    const long = [panel.clock.now() - days(91), id];
    await panel.system.run("UPDATE terminal_recordings SET state = 'truncated', started_at = ? WHERE id = ?", long);
    await panel.runJob("terminal-recordings.forget");
    expect([existsSync(path), (await list()).items]).toEqual([false, []]);
    await record(0);
  });

  test("who may not, and what cannot be, is refused with words and on record", async () => {
    count += 1;
    const manager = await panel.invite(ada, `manager${engine}${count}`, "org_manager");
    const staff = await panel.invite(ada, `staff${engine}${count}`, "org_owner");
    await panel.system.run("UPDATE accounts SET global_role = 'admin' WHERE id = ?", [staff.account_id]);
    const told = async (node: string, token: string, body?: object) => {
      const { status, body: answer } = await ask(node, token, body);
      return `${status} ${answer.code}`;
    };
    const before = (await audited("fleet.terminal.refused")).length;
    expect(await told("atlas", manager.token)).toBe("403 shell_permission");
    expect(await told("atlas", staff.token)).toBe("403 impersonation");
    // A node from before terminals of servers has none.
    expect(await told("boreas", await freshToken(), {})).toBe("409 agent_outdated");
    expect(await told("away", await freshToken())).toBe("409 agent_offline");
    expect((await ask("old", await freshToken())).body.message).toMatch(/old to open this terminal here/);
    expect((await audited("fleet.terminal.refused")).length).toBe(before + 5);
    expect(await told("vega", await freshToken())).toBe("404 node_not_found");
    expect(opened).toEqual([]);
  });

  test("what the node says of its own is told with the contract's codes", async () => {
    const codeOf = async (given: ServeStream) => {
      serve = given;
      const terminal = open("atlas", (await ask("atlas", await freshToken())).body.ticket);
      const error = await terminal.hears("error");
      await terminal.isClosed();
      return error["code"];
    };
    expect(await codeOf(() => Promise.reject(kernelFail("not_found")))).toBe("pty_failed");
    expect(await codeOf(() => Promise.reject(new Error("secret words")))).toBe("pty_failed");
    expect(
      await codeOf(({ send }) => send({ word: { type: "ended", reason: "exec_too_many", message: "Full." } })),
    ).toBe("too_many");
    expect(await codeOf(({ send }) => send("nothing of the kind"))).toBe("pty_failed");
    serve = ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    const silent = open("atlas", (await ask("atlas", await freshToken())).body.ticket);
    await until(() => opened.at(-1)?.isOver === false, { everyMs: 5 });
    await panel.clock.advance(seconds(21));
    expect((await silent.hears("error"))["code"]).toBe("timeout");
  });

  test("who types nothing is warned and closed after 15 minutes, who types is closed after two hours", async () => {
    const idle = await openWhole();
    await pass(minutes(14) + seconds(1));
    expect(await idle.hears("warning")).toEqual({ type: "warning", reason: "idle", ends_in_sec: 60 });
    await pass(minutes(1));
    expect(await idle.hears("exit")).toEqual({ type: "exit", reason: "idle" });
    await idle.isClosed();
    await until(() => opened[0]?.isOver, { everyMs: 5 });
    const busy = await openWhole();
    for (let quarter = 0; quarter < 12; quarter++) {
      busy.type("x");
      await until(() => opened.at(-1)?.typed.length === quarter + 1, { everyMs: 2 });
      await pass(minutes(10));
    }
    expect(await busy.hears("exit")).toEqual({ type: "exit", reason: "too_long" });
  });

  test("whoever loses the role, or signs out, is put out, and a page that leaves ends its shell", async () => {
    count += 1;
    const admin = await panel.invite(ada, `admin${engine}${count}`, "org_admin");
    const terminal = await openWhole("atlas", admin.token);
    await panel.system.run("UPDATE members SET role = 'org_viewer' WHERE id = ?", [admin.member_id]);
    await panel.clock.advance(seconds(16));
    expect(await terminal.hears("exit")).toEqual({ type: "exit", reason: "access_ended" });
    const own = await openWhole();
    own.leave();
    await until(() => opened.at(-1)?.isOver, { everyMs: 5 });
    await until(async () => (await audited("fleet.terminal.end")).some(({ details }) => details.includes('"left"')), {
      everyMs: 10,
    });
  });

  test("five terminals are enough for one person, ten for one node", async () => {
    const mine = [];
    for (let no = 0; no < 5; no++) mine.push(await openWhole());
    const sixth = open("boreas", (await ask("boreas", await freshToken())).body.ticket);
    expect((await sixth.hears("error"))["code"]).toBe("too_many");
    count += 1;
    const admin = await panel.invite(ada, `second${engine}${count}`, "org_admin");
    for (let no = 0; no < 5; no++) await openWhole("atlas", await panel.signIn(admin));
    const third = await panel.invite(ada, `third${engine}${count}`, "org_admin");
    const eleventh = open("atlas", (await ask("atlas", third.token)).body.ticket);
    expect((await eleventh.hears("error"))["code"]).toBe("too_many");
    await openWhole("boreas", third.token);
  });

  test("what is typed in one workspace never shows in another", async () => {
    const [one, other] = await Promise.all([openWhole(), openWhole("vega", await panel.signIn(eve))]);
    for (let no = 0; no < 50; no++) {
      one.type("ada-canary ");
      other.type("eve-canary ");
    }
    await until(() => opened.every(({ typed }) => typed.length === 50 * 11), { everyMs: 5 });
    await until(() => [one, other].every(({ seen }) => seen.text.split("canary").length === 51), { everyMs: 5 });
    expect(one.seen.text).not.toContain("eve");
    expect(other.seen.text).not.toContain("ada");
    expect(opened.find(({ node }) => node === "atlas")?.typed).not.toContain("eve");
  });

  test("much output goes through as it is taken", async () => {
    const piece = "x".repeat(30_000);
    let sent = 0;
    serve = async ({ send, signal }) => {
      await send({ word: { type: "ready" } });
      for (; sent < 300 && !signal.aborted; sent++) await send(b64(piece));
      await send({ word: { type: "exit" } });
    };
    const terminal = await openWhole();
    // It is more than a workspace has at once.
    const lengthLater = () => panel.clock.advance(100).then(() => terminal.seen.text.length);
    await until(async () => (await lengthLater()) === 300 * piece.length, { everyMs: 5 });
    await terminal.hears("exit");
  });
});
