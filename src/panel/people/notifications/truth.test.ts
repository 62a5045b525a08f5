/** Each person gets exactly the notices that their preferences and hours say, none twice, whenever the program is killed. */
import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { minutes } from "../../../lib/duration.ts";
import { holds } from "../../access.ts";
import { byAgent, byMember } from "../../event-meaning.ts";
import type { Mail } from "../../platform/mail/mailing.ts";
import type { RoleName } from "../tenants/contract.ts";
import { CHOSEN_KINDS, type ChosenKind, type Delivery } from "./contract.ts";
import { queueDue, queueLetters } from "./letters.ts";
import { listOwn } from "./logic.ts";
import { dueAt } from "./schedule.ts";

const HISTORIES = Number(process.env["NOTICE_HISTORIES"] ?? 12);
const ROLES = ["org_owner", "org_admin", "org_viewer", "org_teacher"] as const;
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"] as const;

interface Member {
  id: string;
  email: string;
  role: RoleName;
  kinds: Record<ChosenKind, { inapp: boolean; email: boolean }>;
  delivery: Delivery;
  isOut: boolean;
  /** What the model says waits for them. */
  waiting: { told: Told; due: number }[];
}

interface Told {
  title: string;
  kind: ChosenKind;
  severity: string;
  /** The member it is for; null for all with `fleet:read`. */
  to: Member | null;
  at: number;
}

const isFor = ({ id, role }: Member, { to }: Told): boolean => (to === null ? holds(role, "fleet:read") : to.id === id);
const wantsMail = (member: Member, told: Told): boolean =>
  !member.isOut && isFor(member, told) && member.kinds[told.kind].email;

/** Thrown where the program is killed. */
class Killed extends Error {}

onEachEngine("truth of notifications", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), { public_url: "https://panel.example" });
  });

  async function live(seed: number): Promise<void> {
    const random = seeded(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const chance = (part: number): boolean => random() < part;
    const of = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const { ctx, system, clock } = panel;
    const tenantId = await makeWorkspace(`truth-${seed}`);
    const members: Member[] = [];
    for (let count = 0; count < 4; count++) members.push(await makeMember(`truth-${seed}-${count}`));

    async function makeWorkspace(id: string): Promise<string> {
      await system.run("INSERT INTO tenants (tenant_id, name, created_at) VALUES (?, ?, 0)", [id, id]);
      return id;
    }

    async function makeMember(id: string): Promise<Member> {
      const email = `${id}@example.org`;
      const role = of(ROLES);
      await system.run(
        "INSERT INTO accounts (id, email, display_name, password_hash, created_at) VALUES (?, ?, ?, 'none', 0)",
        [id, email, id],
      );
      await system.run("INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, ?, ?, ?, 0)", [
        ...[tenantId, id, id, role],
      ]);
      const ways = CHOSEN_KINDS.map((kind) => [kind, { inapp: chance(0.8), email: chance(0.6) }] as const);
      const kinds = Object.fromEntries(ways) as Member["kinds"];
      const delivery: Delivery = {
        digest: of(["now", "now", "daily", "weekly"]),
        digest_at: of(["00:00", "08:00", "17:30"]),
        quiet: of([null, { from: "22:00", to: "07:00" }, { from: "12:00", to: "13:00" }]),
        time_zone: of(ZONES),
      };
      await system.run(
        "INSERT INTO notification_members (tenant_id, member_id, preferences, delivery) VALUES (?, ?, ?, ?)",
        [tenantId, id, JSON.stringify(kinds), JSON.stringify(delivery)],
      );
      return { id, email, role, kinds, delivery, isOut: false, waiting: [] };
    }

    const all: Told[] = [];
    let fresh: Told[] = [];
    const expected: string[] = [];
    const sent: { to: string; at: number; ids: string[] }[] = [];

    async function tell(): Promise<void> {
      const kind = of(["node.offline", "incident.opened", "incident.escalated", "invitation.accepted"] as const);
      const title = `notice-${all.length}`;
      const severity = kind === "invitation.accepted" ? "success" : of(["warning", "critical"] as const);
      const to = kind === "invitation.accepted" ? of(members) : null;
      const rule = kind === "node.offline" ? ("heartbeat_missing" as const) : ("cpu_high" as const);
      const cause = { incident_id: "inc_1", rule, region: "", title, nodes: 1, hostname: title, figure: 90 };
      const by = byAgent(tenantId, "");
      await system.tx(async (tx) => {
        if (severity === "success")
          await ctx.bus.emit(tx, "account.join", {
            by: byMember({ tenant_id: tenantId, member_id: "mem_new", account_id: "acc_new" }, ""),
            ...{ invitation_id: "inv_1", email: title, role: "org_viewer", invited_by: to?.id ?? "" },
          });
        else if (kind === "incident.escalated")
          await ctx.bus.emit(tx, kind, { by, ...cause, severity, reason: "unknown" });
        else await ctx.bus.emit(tx, "incident.opened", { by, ...cause, severity });
      });
      const told = {
        title: severity === "success" ? `${title} has joined` : title,
        kind,
        severity,
        to,
        at: clock.now(),
      };
      all.push(told);
      fresh.push(told);
    }

    /** The job, killed a few times before or after what it commits, until it gets through. */
    async function run(): Promise<void> {
      for (let isThrough = false; !isThrough; ) {
        let fuse = chance(0.5) ? below(4) : Number.POSITIVE_INFINITY;
        const mail = {
          missing: () => [],
          async queue(tx: { afterCommit(fn: () => void): void }, { to, facts }: Mail) {
            if (fuse-- <= 0) throw new Killed();
            const ids = (facts["ids"] ?? facts["id"] ?? "").split(" ");
            tx.afterCommit(() => void sent.push({ to, at: clock.now(), ids }));
          },
        };
        try {
          await queueLetters({ ...ctx, mail }, new AbortController().signal);
          await queueDue({ ...ctx, mail }, new AbortController().signal);
          isThrough = true;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
      }
    }

    /** The same, as the promise says it. */
    function model(now: number): void {
      for (const told of fresh) {
        for (const member of members.filter((one) => wantsMail(one, told))) {
          const due = dueAt(member.delivery, told.severity, told.at);
          if (due > now) member.waiting.push({ told, due });
          else expected.push(`${now} ${member.email}: ${told.title}`);
        }
      }
      fresh = [];
      for (const member of members) {
        const due = member.waiting.filter((each) => each.due <= now && wantsMail(member, each.told));
        member.waiting = member.waiting.filter((each) => each.due > now);
        if (due.length > 0) expected.push(`${now} ${member.email}: ${due.map(({ told }) => told.title).join(", ")}`);
      }
    }

    for (let step = 0; step < 10; step++) {
      for (let count = below(4); count > 0; count--) {
        await tell();
        await clock.advance(minutes(below(90)));
      }
      await clock.advance(minutes(below(chance(0.2) ? 4000 : 600)));
      if (chance(0.1)) {
        const member = of(members);
        member.isOut = true;
        await system.run("UPDATE members SET status = 'disabled' WHERE tenant_id = ? AND id = ?", [
          tenantId,
          member.id,
        ]);
      }
      await run();
      model(clock.now());
    }

    const rows = await system.all<{ id: string; title: string }>(
      "SELECT id, title FROM notifications WHERE tenant_id = ?",
      [tenantId],
    );
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    const letters = sent.map(({ to, at, ids }) => `${at} ${to}: ${ids.map((id) => titles.get(id)).join(", ")}`);
    expect({ seed, letters: letters.toSorted() }).toEqual({ seed, letters: expected.toSorted() });
    for (const member of members) {
      const actor = {
        ...{ account_id: member.id, member_id: member.id, tenant_id: tenantId, role: member.role },
        ...{ is_staff: false, is_wsl: false, session_id: "", db: panel.tenant(tenantId) },
      };
      const { notifications } = await listOwn(ctx, actor, { limit: 200 });
      const seen = all.filter((told) => isFor(member, told) && member.kinds[told.kind].inapp).map(({ title }) => title);
      expect({ seed, seen: notifications.map(({ title }) => title).toReversed() }).toEqual({ seed, seen });
    }
    await system.run("DELETE FROM notification_waiting WHERE tenant_id = ?", [tenantId]);
  }

  test(`${HISTORIES} histories`, async () => {
    const first = process.env["NOTICE_HISTORIES"] === undefined ? Math.floor(Math.random() * 1e9) : 1;
    for (let count = 0; count < HISTORIES; count++) await live(first + count);
  }, 3_600_000);
});
