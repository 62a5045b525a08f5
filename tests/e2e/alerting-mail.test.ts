import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { type Client, setUp, signIn } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { type MailServer, startMailServer } from "../kit/mail-server.ts";
import { seedSeries } from "../kit/series.ts";
import { until } from "../kit/until.ts";

const MINUTE = 60_000;
const env = { SERVICE_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };

suite("a rule of the compiled node and a real mail server", ["postfix"], () => {
  let node: NodeProcess;
  let owner: Client;
  let mail: MailServer;
  beforeAll(async () => {
    [mail, node] = await Promise.all([startMailServer(), startNode({ env })]);
    owner = await setUp(node.url);
  });
  afterAll(async () => {
    await node?.dispose();
    await mail?.stop();
  });

  /** Kills the node and lets ten minutes pass with that load: everything stored moves to the past by as much. */
  async function livesOn(load1: number): Promise<void> {
    await node.kill();
    const main = new Database(join(node.dataDir, "main.db"));
    const back = (table: string, ...columns: string[]) =>
      main.run(`UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - ${10 * MINUTE}`).join(", ")}`);
    back("alert_progress", "judged_to");
    back("alert_states", "since", "bad_since", "counted_from", "at");
    back("alert_events", "started_at", "fired_at", "resolved_at", "fire_told_at", "told_at", "resolve_told_at");
    back("alert_quiet", "fire_told_at");
    back("alert_outbox", "queued_at");
    main.close();
    const metrics = new Database(join(node.dataDir, "metrics.db"));
    const now = Date.now();
    metrics.run("DELETE FROM m1_host");
    const valuesAt = () => ({ load1, cpu_percent: 1, mem_percent: 1 });
    seedSeries(metrics, { entity: "host", tier: "m1", from: now - 9 * MINUTE, to: now, valuesAt });
    metrics.close();
    node = await startNode({ dataDir: node.dataDir, env });
    owner = await signIn(node.url);
  }
  const isTold = (state: string, kind: string) =>
    until(
      async () => {
        const [event] = await owner.ok(`GET /api/alerting/events?state=${state}`);
        const db = new Database(join(node.dataDir, "main.db"), { readonly: true });
        const row = db.query("SELECT 1 FROM alert_outbox WHERE kind = ?").get(kind);
        db.close();
        return row !== null && event;
      },
      { what: `the ${kind} message` },
    );

  /** Waits for so many of the two letters, and until that is written down: one that is taken in the moment of a kill comes again. */
  async function arrives(count: number): Promise<void> {
    await until(() => mail.mails("admin").length === count, { what: `letter ${count}` });
    await until(async () => (await owner.ok("GET /api/alerting/channels"))[0].queued === 2 - count, {
      what: "the letter to be written down",
    });
  }

  const subjects = () =>
    mail
      .mails("admin")
      .map((letter) => /^Subject: (.+)$/m.exec(letter)?.[1])
      .sort();

  test("a threshold that is passed and left again reaches the mailbox once each, through kill -9 in between", async () => {
    for (const { id } of await owner.ok("GET /api/alerting/rules")) await owner.ok(`DELETE /api/alerting/rules/${id}`);
    await owner.ok("POST /api/alerting/channels", {
      name: "mail",
      type: "email",
      config: {
        host: "localhost",
        port: mail.port,
        security: "starttls",
        verify_certificate: false,
        from: "orrery@orrery.test",
        to: ["admin@orrery.test"],
      },
    });
    const rule = { name: "Too busy", type: "threshold", metric: "load1", threshold: 500, for: "2m", clear_for: "1m" };
    await owner.ok("POST /api/alerting/rules", rule);
    await until(async () => (await judgedTo()) !== null, { what: "the first round" });
    await livesOn(900);
    expect(await isTold("firing", "fired")).toMatchObject({ rule_name: "Too busy", peak: 900, entity: "host" });
    await livesOn(1);
    expect(await isTold("resolved", "resolved")).toMatchObject({ resolution: "recovered", peak: 900 });
    await arrives(1);
    expect(subjects()).toEqual([expect.stringMatching(/Warning: Too busy/)]);
    await livesOn(1);
    await arrives(2);
    // A mailbox has no order; the fire was there before.
    expect(subjects()).toEqual([
      expect.stringMatching(/Resolved: Too busy/),
      expect.stringMatching(/Warning: Too busy/),
    ]);
    await livesOn(1);
    await until(async () => Date.now() - ((await judgedTo()) ?? 0) < 2 * MINUTE, { what: "another round" });
    expect(mail.mails("admin")).toHaveLength(2);
    expect(await owner.ok("GET /api/alerting/events")).toHaveLength(1);
  });

  async function judgedTo(): Promise<number | null> {
    const db = new Database(join(node.dataDir, "main.db"), { readonly: true });
    const row = db.query<{ judged_to: number | null }, []>("SELECT judged_to FROM alert_progress").get();
    db.close();
    return row?.judged_to ?? null;
  }
});
