import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { BOT_TOKEN, type ChatServer, DISCORD_PATH, SLACK_PATH, startChatServer } from "../kit/chat-server.ts";
import { type Client, setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { type MailServer, startMailServer } from "../kit/mail-server.ts";
import { makeNotice } from "../kit/notices.ts";
import { until } from "../kit/until.ts";

const env = { SERVICE_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };

suite("alert channels of the compiled node", ["postfix", "openssl"], () => {
  let node: NodeProcess;
  let owner: Client;
  let mail: MailServer;
  let chat: ChatServer;
  beforeAll(async () => {
    chat = startChatServer();
    [mail, node] = await Promise.all([startMailServer(), startNode({ env })]);
    owner = await setUp(node.url);
  });
  afterAll(async () => {
    await node?.dispose();
    await mail?.stop();
    await chat?.stop();
  });

  const add = (name: string, type: string, config: object, secret?: string) =>
    owner.ok("POST /api/alerting/channels", { name, type, config, secret });
  const press = (id: string) => owner.ok(`POST /api/alerting/channels/${id}/test`);
  const toMail = (changes: object) => ({
    host: "localhost",
    port: mail.port,
    security: "starttls",
    verify_certificate: false,
    from: "orrery@orrery.test",
    to: ["admin@orrery.test", "second@orrery.test"],
    ...changes,
  });

  test("a mail goes through a real mail server into the mailboxes", async () => {
    const { id } = await add("mail", "email", toMail({}));
    const answer = await press(id);
    expect(answer).toMatchObject({ ok: true, code: 250, provider_text: expect.stringContaining("queued as") });
    for (const box of ["admin", "second"]) {
      const [letter = ""] = await until(() => mail.mails(box).length > 0 && mail.mails(box), { what: "the mail" });
      expect(letter).toMatch(/with ESMTPS/);
      expect(letter).toMatch(/^Subject: \[.+\] Info: Test message on mail$/m);
      expect(letter).toContain("This is a test. Alerts sent to this channel arrive here.");
    }
    expect((await owner.ok("GET /api/alerting/channels"))[0]).toMatchObject({ state: "working", has_secret: false });
  }, 15_000);

  test("a certificate nobody signed is refused unless the admin says otherwise, and so is a foreign receiver", async () => {
    const strict = await add("strict", "email", toMail({ verify_certificate: true }));
    expect(await press(strict.id)).toMatchObject({
      ok: false,
      code: null,
      provider_text: expect.stringMatching(/certificate/),
    });
    const foreign = await add("foreign", "email", toMail({ to: ["who@elsewhere.test"] }));
    expect(await press(foreign.id)).toMatchObject({ ok: false, code: 554 });
    const cloud = await add("cloud", "email", toMail({ host: "169.254.169.254" }));
    expect((await press(cloud.id)).provider_text).toContain("link-local");
    for (const { id } of [strict, foreign, cloud]) await owner.ok(`DELETE /api/alerting/channels/${id}`);
  }, 15_000);

  test("each chat takes the message in its own shape, and its answer is shown", async () => {
    const telegram = await add("tg", "telegram", { chat_id: "-1001234567890", api_url: chat.url }, BOT_TOKEN);
    const slack = await add("sl", "slack", {}, chat.url + SLACK_PATH);
    const discord = await add("dc", "discord", {}, chat.url + DISCORD_PATH);
    const webhook = await add("wh", "webhook", { url: `${chat.url}/in` }, "signing secret");
    expect(await press(telegram.id)).toMatchObject({ ok: true, code: 200, provider_text: "ok" });
    expect(await press(slack.id)).toMatchObject({ ok: true, code: 200, provider_text: "ok" });
    expect(await press(discord.id)).toMatchObject({
      ok: true,
      code: 200,
      provider_text: "message 1445566778899001122",
    });
    expect(await press(webhook.id)).toMatchObject({ ok: true, code: 200, provider_text: "thanks" });
    expect(chat.messages.map(({ service }) => service)).toEqual(["telegram", "slack", "discord", "webhook"]);
    const { body, headers } = chat.messages[3] ?? {};
    const signature = createHmac("sha256", "signing secret").update(JSON.stringify(body)).digest("hex");
    expect(headers?.["x-service-signature"]).toBe(`sha256=${signature}`);
  }, 15_000);

  test("a wrong chat and a revoked address are told in the provider's words, without the secret", async () => {
    const lost = await add("lost", "telegram", { chat_id: "77", api_url: chat.url }, BOT_TOKEN);
    expect(await press(lost.id)).toMatchObject({ ok: false, code: 400, provider_text: "Bad Request: chat not found" });
    const gone = await add("gone", "slack", {}, `${chat.url}/services/T0/B0/gone-secret`);
    expect(await press(gone.id)).toMatchObject({ ok: false, code: 404, provider_text: "no_service" });
    chat.limit(1, 7);
    expect(await press(lost.id)).toMatchObject({ code: 429, provider_text: "Too Many Requests: retry after 7" });
    for (const { id } of [lost, gone]) await owner.ok(`DELETE /api/alerting/channels/${id}`);
    expect(JSON.stringify(node.log)).not.toMatch(/gone-secret|AAEhBOweik6ad9r/);
  }, 15_000);

  test("what waits survives kill -9 in the middle of its delivery and arrives with the same id", async () => {
    const [channel] = (await owner.ok("GET /api/alerting/channels")).filter(
      ({ name }: { name: string }) => name === "wh",
    );
    await node.stop();
    const db = new Database(join(node.dataDir, "main.db"));
    const notice = JSON.stringify(makeNotice({ event_id: "evt_kill" }));
    db.query(
      `INSERT INTO alert_outbox (channel_id, event_id, kind, state, notice, subject, body, is_test, queued_at)
       VALUES (?, 'evt_kill', 'fired', 'queued', ?, 'It broke', 'Really.', 0, ?)`,
    ).run(channel.id, notice, Date.now() - 14 * 60_000);
    db.close();
    chat.messages.length = 0;
    chat.isMute = true;
    node = await startNode({ dataDir: node.dataDir, env });
    await until(() => chat.messages.length > 0, { what: "the first attempt" });
    await node.kill();
    chat.isMute = false;
    node = await startNode({ dataDir: node.dataDir, env });
    owner = await signIn(node.url);
    const trail = await until(
      async () => {
        const rows = await owner.ok("GET /api/alerting/deliveries?event_id=evt_kill");
        return rows[0]?.status === "delivered" && rows;
      },
      { what: "the second attempt" },
    );
    expect(trail.map(({ status }: { status: string }) => status)).toEqual(["delivered", "interrupted"]);
    expect(chat.messages.map(({ body }) => [body.id, body.notices[0].note])).toEqual([
      [chat.messages[0]?.body.id, "Delayed 14 min."],
      [chat.messages[0]?.body.id, "Delayed 14 min."],
    ]);
  });
});
