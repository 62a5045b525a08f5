import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { days } from "../../../lib/duration.ts";
import { byAgent, byMember } from "../../event-meaning.ts";
import { deleteOld } from "./forget-store.ts";

onEachEngine("notifications", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), {
      ...{ smtp_url: "smtp+plain://127.0.0.1:9", mail_from: "panel@example.org", public_url: "https://panel.example" },
    });
  });
  const call = (route: string, { token }: Person, body?: unknown) =>
    panel.call(route, { token, ...(body === undefined ? {} : { body }) });
  const tell = (to: Person, title: string, rule: "cpu_high" | "heartbeat_missing" = "cpu_high") =>
    panel.system.tx((tx) =>
      panel.ctx.bus.emit(tx, "incident.opened", {
        by: byAgent(to.tenant_id, ""),
        ...{
          incident_id: "inc_1",
          rule,
          region: "",
          severity: "warning",
          title,
          nodes: 1,
          hostname: title,
          figure: 90,
        },
      }),
    );
  const titles = async (who: Person, query = "") =>
    (await call(`GET /api/notifications${query}`, who)).body.notifications.map(({ title }: { title: string }) => title);
  const unread = async (who: Person) => (await call("GET /api/notifications/count", who)).body.unread_count;

  test("each member reads by themselves, one or all, and pages back", async () => {
    const ada = await panel.join("ada");
    const bert = await panel.invite(ada, "bert", "org_viewer");
    for (const title of ["one", "two", "three"]) await tell(ada, title);
    expect(await titles(ada)).toEqual(["three", "two", "one"]);
    const { body } = await call("GET /api/notifications?limit=2", ada);
    expect(body).toMatchObject({ unread_count: 3 });
    expect(body.notifications[0]).toMatchObject({ kind: "incident.opened", read_at: null, link: "/incidents/inc_1" });
    expect(await titles(ada, `?before=${body.notifications[1].id}`)).toEqual(["one"]);
    const [{ id }] = body.notifications;
    expect((await call(`POST /api/notifications/${id}/read`, ada)).body).toEqual({ id, read: true, unread_count: 2 });
    expect((await call(`POST /api/notifications/${id}/read`, ada)).body.unread_count).toBe(2);
    expect(await titles(ada, "?unread=1")).toEqual(["two", "one"]);
    expect(await unread(bert)).toBe(3);
    expect((await call("POST /api/notifications/read-all", bert)).body).toEqual({ updated: 3, unread_count: 0 });
    await tell(ada, "four");
    expect(await titles(bert, "?unread=1")).toEqual(["four"]);
    expect(await unread(ada)).toBe(3);
  });

  test("pages hear of new ones, and each member of what they read elsewhere", async () => {
    const ada = await panel.join("looker");
    const bert = await panel.invite(ada, "looker-too", "org_viewer");
    const stranger = await panel.join("looker-away");
    const heard: string[] = [];
    const source = panel.ctx.lists.changes.all().find(({ topic }) => topic === "notifications");
    const stops = [ada, bert, stranger].map(({ tenant_id, member_id }, index) =>
      source?.onChange({ tenant_id, member_id }, () => void heard.push(["ada", "bert", "stranger"][index] ?? "")),
    );
    await tell(ada, "heard");
    expect(heard.splice(0)).toEqual(["ada", "bert"]);
    const [{ id }] = (await call("GET /api/notifications", ada)).body.notifications;
    await call(`POST /api/notifications/${id}/read`, ada);
    await call("POST /api/notifications/read-all", bert);
    expect(heard.splice(0)).toEqual(["ada", "bert"]);
    const failed = panel.system.tx(async (tx) => {
      const by = byAgent(ada.tenant_id, "");
      const facts = {
        incident_id: "inc_2",
        rule: "cpu_high",
        region: "",
        severity: "warning",
        title: "not",
        nodes: 1,
        figure: 0,
      };
      await panel.ctx.bus.emit(tx, "incident.opened", { by, ...facts } as never);
      throw new Error("taken back");
    });
    expect(await failed.catch(String)).toContain("taken back");
    for (const stop of stops) stop?.();
    await tell(ada, "unheard");
    expect(heard).toEqual([]);
  });

  test("concern those who may see the thing, in their own workspace", async () => {
    const owner = await panel.join("owner");
    const teacher = await panel.invite(owner, "teacher", "org_teacher");
    const stranger = await panel.join("stranger");
    await tell(owner, "secret");
    expect([await titles(teacher), await titles(stranger), await titles(owner)]).toEqual([[], [], ["secret"]]);
    const [{ id }] = (await call("GET /api/notifications", owner)).body.notifications;
    for (const who of [teacher, stranger])
      expect((await call(`POST /api/notifications/${id}/read`, who)).status).toBe(404);
    await panel.system.tx((tx) =>
      panel.ctx.bus.emit(tx, "account.join", {
        by: byMember(teacher, ""),
        ...{ invitation_id: "inv_1", email: "t@example.org", role: "org_teacher", invited_by: owner.member_id },
      }),
    );
    expect((await titles(owner))[0]).toBe("t@example.org has joined");
    expect(await titles(teacher)).toEqual([]);
  });

  test("what a member does not want is neither listed nor counted, and what they want by mail is sent once", async () => {
    const ada = await panel.join("picky");
    const bert = await panel.invite(ada, "reader", "org_viewer");
    const silent = await panel.invite(ada, "silent", "org_viewer");
    const { body: before } = await call("GET /api/profile/notifications", ada);
    expect(before.kinds["node.offline"]).toEqual({ inapp: true, email: false });
    expect(before.by_mail).toBe(true);
    const kinds = { ...before.kinds, "node.offline": { inapp: false, email: true } };
    expect((await call("PUT /api/auth/notifications", ada, { kinds })).body.kinds).toEqual(kinds);
    expect((await call("GET /api/auth/notifications", bert)).body.kinds).toEqual(before.kinds);
    await tell(ada, "offline", "heartbeat_missing");
    expect([await titles(ada), await titles(bert), await unread(ada)]).toEqual([[], ["offline"], 0]);
    await panel.runJob("notifications.mail");
    await panel.runJob("notifications.mail");
    const letters = await panel.system.all<{ address: string }>(
      "SELECT address FROM mail_queue WHERE kind = 'notification' AND address IN (?, ?, ?)",
      [ada, bert, silent].map(({ email }) => email),
    );
    expect(letters.map(({ address }) => address)).toEqual([ada.email]);
    expect((await call("PUT /api/profile/notifications", ada, { kinds: {} })).status).toBe(400);
  });

  test("mail waits for its hour and comes as one letter; a new choice counts for what waits", async () => {
    const ada = await panel.join("weekly");
    const { body: before } = await call("GET /api/profile/notifications", ada);
    expect(before).toMatchObject({ digest: "now", digest_at: "08:00", quiet: null, time_zone: "UTC" });
    const kinds = { ...before.kinds, "incident.opened": { inapp: true, email: true } };
    const choose = (chosen: object) => call("PUT /api/profile/notifications", ada, { kinds, ...chosen });
    expect((await choose({ time_zone: "Nowhere/None" })).body.code).toBe("notification_zone_unknown");
    expect((await choose({ time_zone: "+01:00" })).body.code).toBe("notification_zone_unknown");
    expect((await choose({ quiet: { from: "22:00", to: "22:00" } })).body.code).toBe("notification_quiet_empty");
    expect((await choose({ digest_at: "25:00" })).status).toBe(400);
    const chosen = { digest: "weekly", digest_at: "17:00", time_zone: "Europe/Berlin" };
    expect((await choose(chosen)).body).toMatchObject({ ...chosen, quiet: null });
    // What is left out stays.
    expect((await choose({})).body).toMatchObject(chosen);
    for (const title of ["one", "two"]) await tell(ada, title);
    const letters = () =>
      panel.system.all<{ kind: string; address: string; facts: string }>(
        "SELECT kind, address, facts FROM mail_queue WHERE address = ? ORDER BY id",
        [ada.email],
      );
    await panel.runJob("notifications.mail");
    expect(await letters()).toEqual([]);
    await choose({ digest: "now" });
    await panel.runJob("notifications.mail");
    await panel.runJob("notifications.mail");
    const [letter, ...others] = await letters();
    expect([letter?.kind, others]).toEqual(["notification.digest", []]);
    const writer = panel.ctx.lists.letters.all().find(({ kind }) => kind === letter?.kind);
    expect(await writer?.write(ada.email, JSON.parse(letter?.facts ?? "{}"))).toMatchObject({
      subject: "weekly: 2 notifications",
      paragraphs: ["this came up in weekly since the last letter.", "one.", "two."],
    });
  });

  test("a letter that waited for the mail server is not sent to whoever may not know of it any more", async () => {
    const ada = await panel.join("strict");
    for (const [name, lose] of [
      ["demoted", (id: string) => call(`PUT /api/team/members/${id}/role`, ada, { role: "org_teacher" })],
      ["removed", (id: string) => call(`DELETE /api/team/members/${id}`, ada)],
    ] as const) {
      const bert = await panel.invite(ada, `${name}letter`, "org_viewer");
      const { kinds } = (await call("GET /api/profile/notifications", bert)).body;
      const wanted = { ...kinds, "incident.opened": { inapp: true, email: true } };
      for (const digest of ["now", "daily"]) {
        await call("PUT /api/profile/notifications", bert, { kinds: wanted, digest });
        await tell(ada, `${name} one`);
        await tell(ada, `${name} two`);
        await panel.runJob("notifications.mail");
      }
      await call("PUT /api/profile/notifications", bert, { kinds: wanted, digest: "now" });
      await panel.runJob("notifications.mail");
      const queued = await panel.system.all<{ kind: string; facts: string }>(
        "SELECT kind, facts FROM mail_queue WHERE address = ? ORDER BY kind",
        [bert.email],
      );
      expect(queued.map(({ kind }) => kind)).toEqual(["notification", "notification", "notification.digest"]);
      const written = async () => {
        const texts: unknown[] = [];
        for (const { kind, facts } of queued) {
          const writer = panel.ctx.lists.letters.all().find((one) => one.kind === kind);
          texts.push(await writer?.write(bert.email, JSON.parse(facts)));
        }
        return texts;
      };
      expect(await written()).not.toContain(null);
      expect((await lose(bert.member_id)).status).toBe(200);
      expect(await written()).toEqual([null, null, null]);
      if (name === "removed") continue;
      await panel.system.run("UPDATE notifications SET permission = '' WHERE tenant_id = ? AND title = ?", [
        ...[ada.tenant_id, `${name} two`],
      ]);
      const [, , digest] = (await written()) as { subject: string; paragraphs: string[] }[];
      // Not even how much there is beyond that.
      expect([digest?.subject, digest?.paragraphs.length]).toEqual([`strict: ${name} two`, 1]);
    }
  });

  test("are kept for thirty days", async () => {
    const ada = await panel.join("old");
    await tell(ada, "old");
    await panel.clock.advance(days(31));
    const again = { ...ada, token: await panel.signIn(ada) };
    expect(await titles(again)).toEqual([]);
    await panel.runJob("notifications.forget");
    const rows = await panel.system.all("SELECT id FROM notifications WHERE tenant_id = ?", [ada.tenant_id]);
    expect(rows).toEqual([]);
  });

  test("of a workspace the newest are kept, up to a number", async () => {
    const [ada, bert] = [await panel.join("many"), await panel.join("few")];
    for (let no = 1; no <= 5; no++) await tell(ada, `n${no}`);
    await tell(bert, "one");
    await deleteOld(panel.system, 0, 3);
    expect(await titles(ada)).toEqual(["n5", "n4", "n3"]);
    expect(await titles(bert)).toEqual(["one"]);
  });

  test("of thousands that nobody needs all go, and others write in between", async () => {
    const ada = await panel.join("crowded");
    await panel.system.tx((tx) =>
      tx.run(
        `INSERT INTO notifications (tenant_id, id, kind, severity, title, body, link, permission, member_id, created_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         SELECT ?, 'old_' || i, 'incident.opened', 'info', '', '', '', '', '', CASE WHEN i > 1250 THEN 1 ELSE 5 END FROM n`,
        [ada.tenant_id],
      ),
    );
    const left = async () =>
      (await panel.system.all("SELECT id FROM notifications WHERE tenant_id = ?", [ada.tenant_id])).length;
    const forgotten = deleteOld(panel.system, 2, 3);
    await tell(ada, "meanwhile");
    // PostgreSQL writes side by side anyway.
    if (engine === "sqlite") expect(await left()).toBe(1_501);
    await forgotten;
    expect(await left()).toBe(3);
  });

  test("what cannot be switched off is pushed out by nothing else", async () => {
    const ada = await panel.join("watched");
    await panel.system.tx((tx) =>
      panel.ctx.bus.emit(tx, "account.new_device", {
        ...{ by: byMember(ada, "192.0.2.9"), program: "Firefox", system: "Linux", at: panel.clock.now() },
      }),
    );
    for (let no = 1; no <= 5; no++) await tell(ada, `n${no}`);
    await deleteOld(panel.system, 0, 3);
    const { notifications } = (await call("GET /api/notifications", ada)).body;
    expect(notifications.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...Array.from({ length: 3 }, () => "incident.opened"),
      "account.new_device",
    ]);
  });
});
