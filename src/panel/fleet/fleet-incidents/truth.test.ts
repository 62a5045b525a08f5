/** Whatever happens to nodes is told once for one cause, and once more when it gets worse, whenever the program is killed. */
import { beforeAll, expect, test } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestFleet, type TestFleet } from "../../../../tests/kit/test-fleet.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { acknowledgeAlerts } from "../fleet-alerts/acknowledge.ts";
import { createJudge } from "./judge.ts";

const HISTORIES = Number(process.env["INCIDENT_HISTORIES"] ?? 3);
const STEPS = 80;
const REGIONS = [...Array(8).fill("eu"), "us", "us", ""] as const;
const RULES = ["heartbeat_missing", "cpu_high"] as const;
type Rule = (typeof RULES)[number];

interface Node {
  no: number;
  region: string;
  isSilent: boolean;
  isHot: boolean;
  /** When it was heard last, and since when it has said that it is hot. */
  heardAt: number;
  hotSince: number | null;
}

/** What is wrong now: since when, and whose name comes first. */
interface Cause {
  since: number;
  first: Node;
  nodes: number;
}

/** An incident, as the promise says it. */
interface Told {
  first: number;
  isEscalated: boolean;
  /** Since when nobody has it; null where somebody does. */
  unknownSince: number | null;
  quietSince: number | null;
  overAt: number | null;
}

/** Thrown where the program is killed. */
class Killed extends Error {}

onEachEngine("truth of incidents", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let ada: Person;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    ada = await panel.join("ada");
    // The judge asks the table which workspaces have nodes.
    await createTestNodes(panel).enrol(ada.tenant_id, "anchor");
  });

  async function live(seed: number): Promise<void> {
    const random = seeded(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const chance = (part: number): boolean => random() < part;
    const { ctx, clock, system } = panel;
    for (const table of ["fleet_incident_entries", "fleet_incident_nodes", "fleet_incidents", "alert_acknowledgements"])
      await system.run(`DELETE FROM ${table}`);
    await system.run("DELETE FROM notifications");
    const shown: TestFleet = createTestFleet(clock);
    const nodes: Node[] = REGIONS.map((region, no) => {
      shown.put(no + 1, { id: `n${10 + no}`, hostname: `host-${no}`, region: region || null });
      return { no, region, isSilent: false, isHot: false, heardAt: 0, hotSince: null };
    });

    function speak(): void {
      const now = clock.now();
      for (const node of nodes.filter(({ isSilent }) => !isSilent)) {
        shown.beat(`n${10 + node.no}`, { cpu: node.isHot ? 95 : 5 });
        node.heardAt = now;
        node.hotSince = node.isHot ? (node.hotSince ?? now) : null;
      }
    }

    function happen(): void {
      for (const node of nodes) {
        if (chance(0.03)) node.isSilent = !node.isSilent;
        if (chance(0.04)) node.isHot = !node.isHot;
      }
      if (!chance(0.06)) return;
      const [region, isSilent] = [REGIONS[below(REGIONS.length)], chance(0.5)];
      for (const node of nodes.filter((one) => one.region === region)) node.isSilent = isSilent;
    }

    const since = (rule: Rule, { heardAt, hotSince }: Node): number | null => {
      const isOffline = clock.now() - heardAt > minutes(10);
      if (rule === "heartbeat_missing") return isOffline ? heardAt : null;
      return isOffline ? null : hotSince;
    };
    function causeOf(rule: Rule, region: string): Cause | null {
      const ill = nodes
        .filter((node) => node.region === region)
        .flatMap((node) => ({ node, at: since(rule, node) ?? [] }))
        .flatMap(({ node, at }) => (typeof at === "number" ? [{ node, at }] : []))
        .sort((a, b) => a.at - b.at || a.node.no - b.node.no);
      const [first] = ill;
      return first ? { since: first.at, first: first.node, nodes: ill.length } : null;
    }

    const incidents = new Map<string, Told>();
    const known: { cause: string; upTo: number; at: number }[] = [];
    const expected: string[] = [];
    const isKnown = (cause: string, from: number, after = 0): boolean =>
      known.some((one) => one.cause === cause && one.upTo >= from && one.at >= after);

    function model(rule: Rule, region: string): void {
      const now = clock.now();
      const key = `${rule} ${region}`;
      const cause = causeOf(rule, region);
      const before = incidents.get(key);
      const told = before && (before.overAt === null || now - before.overAt < minutes(30)) ? before : undefined;
      const severity = rule === "heartbeat_missing" ? "critical" : "warning";
      const title = () => {
        const what = rule === "heartbeat_missing" ? "is offline" : "uses 95% of its processor";
        const { first, nodes: count } = cause as Cause;
        const more = count === 1 ? "" : `, and ${count - 1} more${region && ` in ${region}`}`;
        return `host-${first.no} ${what}${more}`;
      };
      if (cause === null) {
        if (!told || told.overAt !== null) return;
        told.quietSince ??= now;
        if (now - told.quietSince >= minutes(5)) told.overAt = now;
        return;
      }
      if (!told) {
        if (now - cause.since < minutes(1)) return;
        const unknownSince = isKnown(key, cause.since) ? null : now;
        incidents.set(key, { first: cause.nodes, isEscalated: false, unknownSince, quietSince: now, overAt: null });
        const kind = rule === "heartbeat_missing" ? "node.offline" : "incident.opened";
        expected.push(`${now} ${kind} ${severity} ${title()} `);
        return;
      }
      if (told.overAt !== null) {
        // What was known of it was known of the time before.
        told.unknownSince = isKnown(key, cause.since, told.overAt) ? null : now;
        told.overAt = null;
      }
      told.quietSince = now;
      if (told.isEscalated) return;
      const hasGrown = cause.nodes >= told.first * 3 && cause.nodes >= told.first + 5;
      const isOld = severity === "critical" && told.unknownSince !== null && now - told.unknownSince >= minutes(30);
      if (!hasGrown && !isOld) return;
      told.isEscalated = true;
      const why = hasGrown
        ? `This has grown: it is ${cause.nodes} servers now.`
        : "Nobody has said for half an hour that they know of this.";
      expected.push(`${now} incident.escalated ${severity} ${title()} ${why}`);
    }

    const needs = { ...ctx, live: { of: () => shown.fleet, fleetOf: () => shown.fleet } };
    /** The program, which may be killed in the middle of what it commits. */
    const begin = () =>
      createJudge({
        ...needs,
        system: {
          ...system,
          tx: (work) =>
            system.tx(async (tx) => {
              const done = await work(tx);
              if (chance(0.1)) throw new Killed();
              return done;
            }),
        },
      });
    let judge = begin();
    async function run(): Promise<void> {
      for (let isThrough = false; !isThrough; ) {
        try {
          await judge(new AbortController().signal);
          isThrough = true;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
        if (isThrough && !chance(0.1)) continue;
        judge = begin();
        if (!isThrough) for (const told of incidents.values()) told.quietSince = null;
        else restarted = true;
      }
    }
    let restarted = false;

    async function acknowledge(rule: Rule, region: string): Promise<void> {
      const cause = causeOf(rule, region);
      if (cause === null) return;
      const actor = {
        ...{
          account_id: ada.account_id,
          member_id: ada.member_id,
          tenant_id: ada.tenant_id,
          role: "org_owner" as const,
        },
        ...{ is_staff: false, is_wsl: false, session_id: "", db: panel.tenant(ada.tenant_id) },
      };
      const { acknowledged } = await acknowledgeAlerts(needs, actor, "", {
        ...{
          rule,
          region: region || null,
          since: new Date(0).toISOString(),
          latest: new Date(clock.now()).toISOString(),
        },
      });
      if (acknowledged === 0) return;
      const all = nodes.filter((node) => node.region === region).map((node) => since(rule, node) ?? 0);
      known.push({ cause: `${rule} ${region}`, upTo: Math.max(...all), at: clock.now() });
      const told = incidents.get(`${rule} ${region}`);
      if (told && told.overAt === null) told.unknownSince = null;
    }

    speak();
    for (let step = 0; step < STEPS; step++) {
      happen();
      if (chance(0.02)) await clock.advance(minutes(33));
      speak();
      await clock.advance(seconds(7));
      if (chance(0.04)) await acknowledge(RULES[below(2)] as Rule, REGIONS[below(REGIONS.length)] as string);
      if (restarted) for (const told of incidents.values()) told.quietSince = null;
      restarted = false;
      await run();
      for (const rule of RULES) for (const region of new Set(REGIONS)) model(rule, region);
      await clock.advance(seconds(53));
    }
    const rows = await system.all<Record<"kind" | "severity" | "title" | "body" | "created_at", string>>(
      "SELECT kind, severity, title, body, created_at FROM notifications WHERE tenant_id = ? ORDER BY id",
      [ada.tenant_id],
    );
    const told = rows.map(({ kind, severity, title, body, created_at }) =>
      [created_at, kind, severity, title, body].join(" "),
    );
    expect({ seed, told: told.toSorted() }).toEqual({ seed, told: expected.toSorted() });
  }

  test(`${HISTORIES} histories of nodes`, async () => {
    const first = process.env["INCIDENT_HISTORIES"] === undefined ? Math.floor(Math.random() * 1e9) : 1;
    for (let count = 0; count < HISTORIES; count++) await live(first + count);
  }, 3_600_000);
});
