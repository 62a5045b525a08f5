import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { holdSession } from "../../../../tests/kit/stream-nodes.ts";
import { until } from "../../../../tests/kit/until.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import type { ServedStream, ServeStream } from "../../../shared/agent-client/index.ts";

const hit = (title: string, more = {}) => ({ source: "containers", id: title, title, snippet: "nginx:1, Up", ...more });
const never = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

onEachEngine("search of nodes", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let listening: Listening;
  let ada: Person;
  let eve: Person;
  let zoe: Person;
  let asked: Record<string, unknown>[] = [];
  let ended = 0;
  /** What each node does when it is asked. */
  let serve: Record<string, ServeStream> = {};
  const left: (() => void)[] = [];
  const beats: Record<string, () => Promise<unknown>> = {};
  const closers: (() => unknown)[] = [];

  const serving =
    (canary: string): ServeStream =>
    async (stream: ServedStream) => {
      asked.push({ ...stream.params, canary });
      try {
        await serve[canary]?.({ ...stream, send: (data) => stream.send(data) });
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
    zoe = await panel.join("zoe");
    for (const [person, id] of [
      [ada, "atlas"],
      [ada, "rhea"],
      [eve, "vega"],
      [zoe, "nova"],
    ] as const) {
      const services = { search: serving(id) };
      const held = await holdSession(panel, nodes, { tenantId: person.tenant_id, id, services });
      beats[id] = held.beat;
      closers.push(held.close);
    }
    closers.push((await holdSession(panel, nodes, { tenantId: ada.tenant_id, id: "old", services: {} })).close);
    await nodes.enrol(ada.tenant_id, "away");
    for (const [id, { tenant_id }] of [["vega", eve] as const, ["nova", zoe] as const, ["rhea", ada] as const])
      await until(() => panel.ctx.agentPort.streamState(id, tenant_id, "search") === "ready", { everyMs: 5 });
  });
  afterAll(async () => {
    for (const close of closers) close();
    await listening.stop();
    await panel.ctx.agentPort.stop();
  });
  beforeEach(() => {
    asked = [];
    ended = 0;
    serve = {};
  });
  // What one test began must not end in the next one.
  afterEach(async () => {
    for (const leave of left.splice(0)) leave();
    await until(() => ended === asked.length, { everyMs: 5, what: "the end of all streams" });
  });

  /** Asks for all at once; the clock is turned to where the panel waits no longer, once the nodes were asked. */
  async function find(q: string, { token = ada.token, waits = false } = {}) {
    const answer = panel.call(`GET /api/search/global?q=${encodeURIComponent(q)}`, { token });
    if (waits) {
      await until(() => asked.length === 2, { everyMs: 5, what: "nodes to be asked" });
      await until(() => ended === 1, { everyMs: 5, what: "the quick one to answer" });
      // What came before it on the same connection is there once this is answered.
      await beats["atlas"]?.();
      await panel.clock.advance(300);
    }
    return (await answer).body;
  }
  const ofNodes = (body: { results: { source: string; title: string; origin_node?: string }[] }) =>
    body.results
      .filter(({ origin_node }) => origin_node !== undefined)
      .map(({ title, origin_node }) => [origin_node, title]);

  /** Opens the stream as a browser does; `told` grows while it is read. */
  async function follow(q: string, token = ada.token) {
    const abort = new AbortController();
    left.push(() => abort.abort());
    const response = await fetch(`http://127.0.0.1:${listening.port}/api/search/stream?q=${q}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    const told: { event: string; data: { results?: { title: string }[]; asked: number; late: number } }[] = [];
    async function read(): Promise<void> {
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        for (const part of parts) {
          const [, event] = /^event: (.*)$/m.exec(part) ?? [];
          if (event) told.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? "") });
        }
      }
    }
    void read().catch(() => {});
    return { told, status: response.status, leave: () => abort.abort() };
  }

  test("every node that can is asked as the person who asks, and what it has leads to it", async () => {
    serve = {
      atlas: async ({ send }) => {
        await send({ hits: [hit("blog-proxy"), hit("blog", { newer_field: 1 })] });
        await send({ hits: [hit("Blog is slow", { source: "alert_rules", id: "rule_1", snippet: "on" })] });
      },
      rhea: ({ send }) => send({ hits: [hit("blog", { snippet: "" })] }),
    };
    const body = await find("blog");
    expect([body.asked, body.late]).toEqual([2, 0]);
    expect(asked.map(({ canary, ...rest }) => [canary, rest]).sort()).toEqual(
      ["atlas", "rhea"].map((id) => [
        id,
        { text: "blog", limit: 10, person: { account_id: expect.any(String), role: "org_owner" } },
      ]),
    );
    expect(ofNodes(body).toSorted()).toEqual([
      ["atlas", "Blog is slow"],
      ["atlas", "blog"],
      ["atlas", "blog-proxy"],
      ["rhea", "blog"],
    ]);
    // The exact name first.
    expect(ofNodes(body).findIndex(([, title]) => title === "blog")).toBeLessThan(
      ofNodes(body).findIndex(([, title]) => title === "blog-proxy"),
    );
    expect(body.results.find(({ id }: { id: string }) => id === "rhea/containers/blog")).toEqual({
      ...{ source: "containers", id: "rhea/containers/blog", title: "blog", snippet: "on rhea", icon: "box" },
      ...{ path: "/nodes/rhea", origin_node: "rhea", node_path: "/containers?container=blog" },
    });
  });

  test("a node that never answers costs 300 ms, and is counted", async () => {
    serve = { atlas: ({ send }) => send({ hits: [hit("wiki")] }), rhea: ({ signal }) => never(signal) };
    const body = await find("wiki", { waits: true });
    expect(ofNodes(body)).toEqual([["atlas", "wiki"]]);
    expect([body.asked, body.late]).toEqual([2, 1]);
    await until(() => ended === 2, { everyMs: 5, what: "the slow one to be let go" });
  });

  test("the stream tells what the panel knows, each answer as it comes, and its end after three seconds", async () => {
    let answer = () => {};
    const slowly = new Promise<void>((resolve) => {
      answer = resolve;
    });
    serve = {
      atlas: ({ send }) => slowly.then(() => send({ hits: [hit("atlas-db")] })),
      rhea: ({ signal }) => never(signal),
    };
    const { told } = await follow("atlas");
    await until(() => told.length === 1, { everyMs: 5, what: "what the panel knows" });
    expect(told[0]).toMatchObject({ event: "found", data: { results: [{ title: "atlas" }], asked: 2, late: 2 } });
    answer();
    await until(() => told.length === 2, { everyMs: 5, what: "the answer" });
    expect(told[1]?.data.results).toMatchObject([{ title: "atlas-db", snippet: "nginx:1, Up, on atlas" }]);
    await panel.clock.advance(3_000);
    await until(() => told.length === 3, { everyMs: 5, what: "the end" });
    expect(told[2]).toEqual({ event: "done", data: { asked: 2, late: 1 } });
  });

  test("who leaves ends what the nodes do", async () => {
    serve = { atlas: ({ signal }) => never(signal), rhea: ({ signal }) => never(signal) };
    const { leave } = await follow("anything");
    await until(() => asked.length === 2, { everyMs: 5 });
    leave();
    await until(() => ended === 2, { everyMs: 5, what: "the end on both nodes" });
  });

  test("what a node would like to be read is not: other words, hidden characters, kinds nobody knows, repeats", async () => {
    serve = {
      atlas: ({ send }) =>
        send({
          hits: [
            hit("Your account is locked, call 555"),
            hit("blog\u202e\u0000\nspoof", { id: "x" }),
            hit("blog again", { id: "x" }),
            hit("blog", { source: "money" }),
            hit("\u200b\u200b", { id: "y", snippet: "blog" }),
            hit(`blog ${"&?#/".repeat(40)}`, { id: "z" }),
          ],
        }),
    };
    const body = await find("blog");
    expect(ofNodes(body)).toEqual([
      ["atlas", `blog ${"&?#/".repeat(40)}`],
      ["atlas", "blogspoof"],
    ]);
    for (const { path, node_path } of body.results.filter((each: { origin_node?: string }) => each.origin_node)) {
      expect(path).toBe("/nodes/atlas");
      expect(node_path).toMatch(/^\/(containers\?container=[A-Za-z0-9%.~_-]+)?$/);
    }
  });

  test("a node that says too much, nothing at all without end, or no answer, is passed over; the others are not", async () => {
    const flood = Array.from({ length: 10 }, (_, no) => hit(`wiki-${no}`));
    const floods: ServeStream[] = [
      async ({ send, signal }) => {
        for (let no = 0; no < 100 && !signal.aborted; no++)
          await send({ hits: flood.map((each) => ({ ...each, id: `${no}-${each.id}` })) });
      },
      async ({ send, signal }) => {
        while (!signal.aborted) await send({ hits: [] });
      },
      ({ send }) => send({ hits: Array.from({ length: 11 }, (_, no) => hit(`wiki-${no}`)) }),
      ({ send }) => send({ hits: [hit("wiki", { title: "wiki".repeat(60) })] }),
      ({ send }) => send({ hits: [hit("wiki", { source: "Contain ers" })] }),
      ({ send }) => send("wiki"),
      () => Promise.reject(kernelFail("not_found")),
    ];
    const seen = [];
    for (const atlas of floods) {
      serve = { atlas, rhea: ({ send }) => send({ hits: [hit("wiki")] }) };
      const body = await find("wiki");
      const found = ofNodes(body);
      expect(found).toContainEqual(["rhea", "wiki"]);
      seen.push([found.length - 1, body.late]);
    }
    expect(seen).toEqual([[10, 0], ...Array.from({ length: 6 }, () => [0, 1])]);
  });

  test("another workspace's nodes are not asked, nor any by those who may see none", async () => {
    serve = Object.fromEntries(
      ["atlas", "rhea", "vega"].map((id) => [id, ({ send }) => send({ hits: [hit("canary")] })]),
    );
    expect(ofNodes(await find("canary", { token: eve.token }))).toEqual([["vega", "canary"]]);
    const teacher = await panel.invite(ada, `teacher${engine}`, "org_teacher");
    expect(await find("canary", { token: teacher.token })).toMatchObject({ asked: 0, late: 0, results: [] });
    expect(asked.map(({ canary }) => canary)).toEqual(["vega"]);
    const viewer = await panel.invite(ada, `viewer${engine}`, "org_viewer");
    expect(ofNodes(await find("canary", { token: viewer.token }))).toHaveLength(2);
    expect(asked.slice(1).map(({ person }) => (person as { role: string }).role)).toEqual(["org_viewer", "org_viewer"]);
    for (const path of ["global", "stream"]) expect((await panel.call(`GET /api/search/${path}?q=a`)).status).toBe(401);
    await find("  ");
    expect(asked).toHaveLength(3);
  });

  test("one account asks five times at once; more is told what the panel knows", async () => {
    serve = { atlas: ({ signal }) => never(signal), rhea: ({ signal }) => never(signal) };
    for (let no = 0; no < 5; no++) await follow("atlas");
    await until(() => asked.length === 10, { everyMs: 5 });
    const { told } = await follow("atlas");
    await until(() => told.length === 2, { everyMs: 5, what: "its end" });
    expect(told.map(({ event, data }) => [event, data.asked, data.late])).toEqual([
      ["found", 2, 2],
      ["done", 2, 2],
    ]);
    expect(asked).toHaveLength(10);
    // Whoever has the say about the workspace's own sign-in does not take what the account may ask elsewhere.
    const { tenants, system, sessions } = panel.ctx;
    const member = await tenants.findMembership(ada.tenant_id, ada.member_id);
    if (!member) throw new Error("nobody to sign in");
    const id = await system.tx((tx) => sessions.startWorkspaceSignIn(tx, member, { ip: "127.0.0.1" }));
    await follow("atlas", (await sessions.loginBody(id, member)).token);
    await until(() => asked.length === 12, { everyMs: 5, what: "nodes to be asked for who came by the workspace" });
  });

  test("accounts that search as much as they may keep nobody else from searching", async () => {
    const [search] = panel.ctx.lists.farSearches.all();
    if (!search) throw new Error("nobody asks nodes");
    serve = Object.fromEntries(["atlas", "rhea", "vega", "nova"].map((id) => [id, ({ signal }) => never(signal)]));
    const over = new AbortController();
    left.push(() => over.abort());
    const ask = ({ tenant_id, member_id }: Person, account_id: string, text: string) => {
      const db = panel.tenant(tenant_id);
      const who = { account_id, member_id, tenant_id, role: "org_admin", session_id: account_id, db } as const;
      return search.ask({ ...who, is_staff: false, is_wsl: false }, text, 10, over.signal);
    };
    const begin = (person: Person, count: number) =>
      Array.from({ length: count }, (_, no) => ask(person, `${person.account_id}${no % 4}`, "greed"));
    const begun = [...begin(ada, 20), ...begin(zoe, 10), ...begin(eve, 20)];
    await until(() => asked.length === 70, { everyMs: 5, what: "all nodes to be asked" });
    const mine = ask(zoe, "acc_newcomer", "mine");
    expect(await Array.fromAsync(begun.at(-1)?.answers ?? [])).toEqual([]);
    await until(() => asked.some(({ text }) => text === "mine"), { everyMs: 5, what: "the newcomer's turn" });
    expect([ended, mine.late(), begun.at(-1)?.late()]).toEqual([1, 1, 1]);
  });
});
