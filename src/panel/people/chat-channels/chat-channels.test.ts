import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { byMember } from "../../event-meaning.ts";
import { renderMessage } from "./render.ts";

onEachEngine("chat channels", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let count = 0;
  /** What the receiver got, and what it answers. */
  const got: { path: string; body: { text?: string } }[] = [];
  const answers = new Map<string, number>();
  /** What it says beside a refusal, and what happens meanwhile. */
  let words = "no such room";
  let meanwhile: () => Promise<unknown> = async () => {};
  /** Rooms that say nothing for now. */
  const silent = new Map<string, { asked: () => void; answered: Promise<void> }>();
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const status = answers.get(pathname) ?? 200;
      await meanwhile();
      silent.get(pathname)?.asked();
      await silent.get(pathname)?.answered;
      if (status === 200) got.push({ path: pathname, body: (await request.json()) as { text?: string } });
      return new Response(status === 200 ? "ok" : words, { status });
    },
  });
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), { outgoing_allow_cidrs: "127.0.0.0/8" });
  });
  afterAll(() => void receiver.stop(true));

  async function makeWorld() {
    count += 1;
    const path = `/${engine}-${count}`;
    const owner = await panel.join(`chat${engine}${count}`);
    const call = async (route: string, body?: unknown, person: Person = owner) =>
      panel.call(route, { token: await panel.signIn(person), ...(body === undefined ? {} : { body }) });
    const input = {
      ...{ name: "Operations", service: "slack", url: `http://127.0.0.1:${receiver.port}${path}` },
      kinds: ["canary.paused"],
    };
    const made = await call("POST /api/chat-channels", input);
    /** Something that everybody in the workspace should know of. */
    const happen = () =>
      panel.system.tx((tx) =>
        panel.ctx.bus.emit(tx, "fleet.rollout.stop", {
          ...{ by: byMember(owner, ""), rollout_id: "rol_1", name: "To <all>", text: "Too many failed" },
          reason: { cause: "gate", gate: "failed_boots", value: 3, threshold: 0 },
        }),
      );
    const texts = () => got.filter((one) => one.path === path).map(({ body }) => body.text ?? "");
    return { owner, call, input, id: made.body.id as string, made, happen, texts, path };
  }

  test("an address is kept to itself, tested, and refused where it leads to what only this machine can reach", async () => {
    const { owner, call, input, made, id, texts, path } = await makeWorld();
    expect(made.body).toMatchObject({ name: "Operations", host: `127.0.0.1:${receiver.port}`, last_error: null });
    expect(JSON.stringify((await call("GET /api/chat-channels")).body)).not.toContain(path);
    expect((await call(`POST /api/chat-channels/${id}/test`)).status).toBe(204);
    expect(texts()).toEqual([expect.stringContaining("This is a test")]);
    answers.set(path, 404);
    const failed = await call(`POST /api/chat-channels/${id}/test`);
    expect([failed.status, failed.body.params.reason]).toEqual([502, "The receiver answered 404: no such room"]);
    words = `no ${path.slice(1)} here`;
    const quoted = await call(`POST /api/chat-channels/${id}/test`);
    expect(quoted.body.params.reason).toBe("The receiver answered 404: no [hidden] here");
    // Whoever names an address is told no more of what answers there than a word or two.
    for (const secret of ['{"password":"hunter2"}', "<p>internal</p>", "x".repeat(100), "one\ntwo"]) {
      words = secret;
      expect((await call(`POST /api/chat-channels/${id}/test`)).body.params.reason).toBe("The receiver answered 404");
    }
    words = "no such room";
    for (const url of ["http://169.254.169.254/x", "ftp://example.org/", "nonsense"])
      expect((await call("POST /api/chat-channels", { ...input, url })).body.code).toBe("chat_url_unusable");
    const viewer = await panel.invite(owner, `viewer${id}`, "org_viewer");
    expect((await call("POST /api/chat-channels", input, viewer)).status).toBe(403);
    expect((await call("GET /api/chat-channels", undefined, viewer)).status).toBe(403);
    for (let number = 1; number < 10; number++) await call("POST /api/chat-channels", input);
    expect((await call("POST /api/chat-channels", input)).body.code).toBe("chat_channel_limit");
  });

  test("what happens is told once, tried again while the receiver is away, and given up after half a day", async () => {
    const { call, id, happen, texts, path } = await makeWorld();
    answers.set(path, 503);
    await happen();
    await panel.runJob("chat-channels.deliver");
    const [channel] = (await call("GET /api/chat-channels")).body.items;
    expect(channel).toMatchObject({ id, waiting: 1, last_error: "The receiver answered 503: no such room" });
    answers.delete(path);
    // Not before its time.
    await panel.runJob("chat-channels.deliver");
    expect(texts()).toEqual([]);
    await panel.clock.advance(minutes(1));
    await panel.runJob("chat-channels.deliver");
    await panel.runJob("chat-channels.deliver");
    expect(texts().length).toBe(1);
    expect((await call("GET /api/chat-channels")).body.items).toMatchObject([{ waiting: 0, last_error: null }]);
    answers.set(path, 503);
    await happen();
    await panel.clock.advance(hours(13));
    await panel.runJob("chat-channels.deliver");
    expect((await call("GET /api/chat-channels")).body.items).toMatchObject([{ waiting: 0, dropped: 1 }]);
  });

  test("a room is told nothing once its maker may not have it, and again when they may or another takes it over", async () => {
    const { owner, call, input, id, happen, texts } = await makeWorld();
    await call(`DELETE /api/chat-channels/${id}`);
    const maker = await panel.invite(owner, `maker${id}`, "org_admin");
    const made = (await call("POST /api/chat-channels", input, maker)).body;
    const become = (role: string) => call(`PUT /api/team/members/${maker.member_id}/role`, { role });
    const isPaused = async () => (await call("GET /api/chat-channels")).body.items[0].paused;
    const deliver = async () => {
      await panel.clock.advance(minutes(1));
      await panel.runJob("chat-channels.pauses");
      await panel.runJob("chat-channels.deliver");
    };
    const pausesTold = async () =>
      (await call("GET /api/notifications")).body.notifications.filter(
        ({ kind }: { kind: string }) => kind === "chat_channel.paused",
      ).length;
    await happen();
    await become("org_viewer");
    await happen();
    await deliver();
    await deliver();
    expect([texts().length, await isPaused(), await pausesTold()]).toEqual([0, true, 1]);
    const tested = await call(`POST /api/chat-channels/${made.id}/test`);
    expect([tested.status, tested.body.code]).toEqual([409, "chat_channel_paused"]);
    await become("org_admin");
    await deliver();
    // What waited is told; what happened meanwhile is not.
    expect([texts().length, texts().join().split("all&gt;").length - 1, await isPaused()]).toEqual([1, 1, false]);
    // Of one that is off anyway nobody is told.
    await panel.system.run("UPDATE chat_channels SET off_at = 1 WHERE id = ?", [made.id]);
    await become("org_viewer");
    await deliver();
    expect(await pausesTold()).toBe(1);
    await panel.system.run("UPDATE chat_channels SET off_at = NULL WHERE id = ?", [made.id]);
    await become("org_admin");
    await call(`DELETE /api/team/members/${maker.member_id}`);
    await happen();
    await deliver();
    expect([texts().length, await isPaused(), await pausesTold()]).toEqual([1, true, 2]);
    const taken = await call(`POST /api/chat-channels/${made.id}/take-over`);
    expect([taken.status, taken.body.paused]).toEqual([200, false]);
    await happen();
    await deliver();
    expect(texts().length).toBe(2);
  });

  test("what waited for longer than it is of use is not told as news, and the room hears how much that was", async () => {
    const { call, id, happen, texts } = await makeWorld();
    const age = (by: number) =>
      panel.system.run("UPDATE chat_waiting SET queued_at = queued_at - ? WHERE channel_id = ?", [by, id]);
    await happen();
    await happen();
    await age(hours(13));
    await happen();
    await panel.runJob("chat-channels.deliver");
    expect(texts().length).toBe(1);
    expect(texts()[0]?.split("all&gt;").length).toBe(2);
    expect(texts()[0]).toEndWith("Not told, because they are older than twelve hours: 2.");
    const shown = async () => (await call("GET /api/chat-channels")).body.items[0];
    expect(await shown()).toMatchObject({ waiting: 0, dropped: 0 });
    await happen();
    await age(hours(13));
    await panel.runJob("chat-channels.deliver");
    expect([texts().length, await shown()]).toMatchObject([1, { waiting: 0, dropped: 1 }]);
  });

  test("whoever has a room tell another address answers for it, whoever renames it does not", async () => {
    const { owner, call, input, id } = await makeWorld();
    const other = await panel.invite(owner, `other${id}`, "org_admin");
    const become = (role: string) => call(`PUT /api/team/members/${other.member_id}/role`, { role });
    const isPaused = async () => (await call("GET /api/chat-channels")).body.items[0].paused;
    const { url, ...rest } = input;
    await call(`PUT /api/chat-channels/${id}`, { ...rest, name: "Hall" }, other);
    await become("org_viewer");
    expect(await isPaused()).toBe(false);
    await become("org_admin");
    await call(`PUT /api/chat-channels/${id}`, { ...rest, url: `${url}-elsewhere` }, other);
    await become("org_viewer");
    expect(await isPaused()).toBe(true);
  });

  test("no more than the latest 500 messages wait for a room that does not answer", async () => {
    const { owner, call, id, path } = await makeWorld();
    answers.set(path, 503);
    const rows = Array.from({ length: 502 }, (_, number) => `cwt_${String(number).padStart(3, "0")}`);
    await panel.system.tx(async (tx) => {
      for (const row of rows)
        await tx.run(
          `INSERT INTO chat_waiting (tenant_id, channel_id, id, severity, title, body, link, queued_at)
           VALUES (?, ?, ?, 'warning', 'Up', '', '/', ?)`,
          [owner.tenant_id, id, row, panel.clock.now()],
        );
    });
    await panel.runJob("chat-channels.deliver");
    expect((await call("GET /api/chat-channels")).body.items).toMatchObject([{ waiting: 500, dropped: 2 }]);
    const left = await panel.system.all<{ id: string }>(
      "SELECT id FROM chat_waiting WHERE channel_id = ? ORDER BY id",
      [id],
    );
    expect([left[0]?.id, left.at(-1)?.id]).toEqual(["cwt_002", "cwt_501"]);
  });

  test("a room that says nothing keeps no other workspace's waiting", async () => {
    const [slow, other] = [await makeWorld(), await makeWorld()];
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    silent.set(slow.path, { asked: asked.resolve, answered: answered.promise });
    await slow.happen();
    const run = panel.runJob("chat-channels.deliver");
    await asked.promise;
    await other.happen();
    const told = Promise.withResolvers<void>();
    silent.set(other.path, { asked: told.resolve, answered: Promise.resolve() });
    await panel.clock.advance(seconds(5));
    await told.promise;
    answered.resolve();
    await run;
    expect([slow.texts().length, other.texts().length]).toEqual([1, 1]);
  }, 20_000);

  test("what is written down while a message is on its way is told with the next one", async () => {
    const { owner, id, happen, texts } = await makeWorld();
    await happen();
    // On PostgreSQL a transaction that began earlier may end later.
    meanwhile = async () => {
      meanwhile = async () => {};
      await panel.system.run(
        `INSERT INTO chat_waiting (tenant_id, channel_id, id, severity, title, body, link, queued_at)
         VALUES (?, ?, 'cwt_0', 'critical', 'Earlier', '', '/', ?)`,
        [owner.tenant_id, id, panel.clock.now()],
      );
    };
    await panel.runJob("chat-channels.deliver");
    await panel.runJob("chat-channels.deliver");
    expect(texts()).toEqual([expect.not.stringContaining("Earlier"), expect.stringContaining("Earlier")]);
  });

  test("what nobody takes for three days is switched off, and people hear why; a test that arrives turns it on", async () => {
    const { call, id, happen, texts, path } = await makeWorld();
    const one = async () => (await call("GET /api/chat-channels")).body.items[0];
    answers.set(path, 410);
    for (let hour = 0; hour < 71; hour += 10) {
      await happen();
      await panel.runJob("chat-channels.deliver");
      await panel.clock.advance(hours(10));
    }
    expect(await one()).toMatchObject({ off_at: null, last_error: "The receiver answered 410: no such room" });
    await happen();
    await panel.runJob("chat-channels.deliver");
    const off = await one();
    expect(off).toMatchObject({ off_at: expect.any(String), waiting: 0 });
    const heard = (await call("GET /api/notifications")).body.notifications;
    expect(heard[0]).toMatchObject({
      kind: "chat_channel.off",
      body: expect.stringContaining("410: no such room. Mend"),
    });
    // Nothing is kept for it, and nothing is sent.
    answers.delete(path);
    await happen();
    await panel.clock.advance(hours(2));
    await panel.runJob("chat-channels.deliver");
    expect([(await one()).waiting, texts()]).toEqual([0, []]);
    expect((await call(`POST /api/chat-channels/${id}/test`)).status).toBe(204);
    expect(await one()).toMatchObject({ off_at: null, last_error: null, dropped: 0 });
    await happen();
    await panel.runJob("chat-channels.deliver");
    expect(texts()).toHaveLength(2);
  });

  test("a room hears what is severe enough for it, in the language of its workspace", async () => {
    const { owner, call, id, input, texts } = await makeWorld();
    const { url: _, ...rest } = { ...input, kinds: ["incident.opened"], least_severity: "critical" };
    expect((await call(`PUT /api/chat-channels/${id}`, rest)).body.least_severity).toBe("critical");
    await call("PUT /api/v1/workspace/settings", { language: "de" });
    for (const severity of ["warning", "critical"] as const)
      await panel.system.tx((tx) =>
        panel.ctx.bus.emit(tx, "incident.opened", {
          ...{ by: byMember(owner, ""), incident_id: "inc_1", rule: "disk_high", region: "", severity },
          ...{ title: "a uses 95% of its disk", hostname: severity, figure: 95, nodes: 1 },
        }),
      );
    await panel.runJob("chat-channels.deliver");
    expect(texts()).toEqual([expect.stringContaining("critical belegt 95\u00a0% seines Speicherplatzes")]);
    expect(texts()[0]).not.toContain("warning");
  });

  test("kinds that are not wanted, and what is of another workspace, are not told", async () => {
    const [mine, theirs] = [await makeWorld(), await makeWorld()];
    const { url: _, ...rest } = { ...mine.input, kinds: ["node.offline"] };
    expect((await mine.call(`PUT /api/chat-channels/${mine.id}`, rest)).body.kinds).toEqual(["node.offline"]);
    await mine.happen();
    await theirs.happen();
    await panel.runJob("chat-channels.deliver");
    expect([mine.texts().length, theirs.texts().length]).toEqual([0, 1]);
    expect((await mine.call(`DELETE /api/chat-channels/${mine.id}`)).status).toBe(204);
    expect((await mine.call(`DELETE /api/chat-channels/${theirs.id}`)).body.code).toBe("chat_channel_not_found");
  });
});

test("French has its spaces in chats too", () => {
  const told = { title: "Déploiement suspendu : To 2.0", body: "", url: "https://p.example" };
  expect(renderMessage("slack", { name: "W", language: "fr" }, [told])).toContain("suspendu\u00a0: To 2.0");
});

test("names steer no service, and what does not fit is counted", () => {
  const evil = { title: "<!channel> @everyone *x*", body: "a & b", url: "https://p.example/x_y_z" };
  expect(renderMessage("slack", { name: "W", language: "en" }, [evil])).toContain("&lt;!channel&gt;");
  // Mattermost and Rocket.Chat take the form of Slack, call by a plain word and know links of Markdown.
  const named = JSON.parse(
    renderMessage("slack", { name: "@all", language: "en" }, [
      { ...evil, title: "@channel [here](https://e.example)" },
    ]),
  ).text;
  expect(named).not.toMatch(/@(all|channel)|\]\(/);
  expect(renderMessage("discord", { name: "W", language: "en" }, [evil])).toContain('"allowed_mentions":{"parse":[]}');
  expect(JSON.parse(renderMessage("discord", { name: "W", language: "en" }, [evil])).content).toContain(
    "https://p.example/x_y_z",
  );
  const many = Array.from({ length: 100 }, () => ({ ...evil, body: "x".repeat(300) }));
  for (const service of ["slack", "discord", "teams"] as const) {
    const text = renderMessage(service, { name: "W", language: "en" }, many);
    expect(text).toMatch(/… and \d+ more/);
    expect(text.length).toBeLessThan(2_600);
  }
});
