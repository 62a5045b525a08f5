import type { AgentCommand } from "../../src/shared/agent-protocol/index.ts";
import type { Person, TestPanel } from "./panel-app.ts";
import type { TestNodes } from "./panel-nodes.ts";

/** What servers run at first, and what the usual rollout brings. */
export const OLD = "1.0.0";
export const NEW = "2.0.0";

interface Faults {
  fails?: string[];
  silent?: string[];
  /** Percent of requests that fail on the new version, where servers tell of that. */
  errors?: number;
}

export type RolloutFleet = ReturnType<typeof createRolloutFleet>;

/** Servers that a panel rolls versions out to, `owner`'s unless told. */
export function createRolloutFleet(panel: TestPanel, nodes: TestNodes, owner: Person) {
  /** What each server runs, and what it was told. */
  const fleet = new Map<string, { version: string; results: unknown[]; told: AgentCommand[] }>();
  async function enrol(count: number, person = owner): Promise<void> {
    fleet.clear();
    for (let no = 0; no < count; no++) {
      await nodes.enrol(person.tenant_id, `n${no}`);
      fleet.set(`n${no}`, { version: OLD, results: [], told: [] });
    }
    await beat();
  }
  /** Every server but `silent` ones speaks, does what it is told, and says so the next time. */
  async function beat({ fails = [], silent = [], errors }: Faults = {}): Promise<void> {
    for (const [id, node] of fleet) {
      if (silent.includes(id)) continue;
      const { commands } = await nodes.heartbeat(id, {
        ...{ hostname: `host-${id}`, version: node.version, results: node.results },
        metrics: {
          ...{ cpu_percent: 20, memory_percent: 20, disk_percent: 20 },
          ...(errors === undefined ? {} : { error_rate: node.version === NEW ? errors : 0, requests: 50 }),
        },
      });
      node.results = [];
      for (const command of commands) {
        node.told.push(command);
        const isFailing = fails.includes(id) && !command.payload["allow_older"];
        if (!isFailing && command.type === "update.apply") node.version = String(command.payload["version"]);
        node.results.push({
          id: command.id,
          status: isFailing ? "failed" : "succeeded",
          ...(isFailing ? { error: "no boot" } : {}),
        });
      }
    }
  }
  const look = () => panel.runJob("rollouts.look");
  /** Minutes of the fleet's life, with the panel looking every twenty seconds. */
  async function live(minutes: number, faults: Faults = {}): Promise<void> {
    for (let step = 0; step < minutes * 3; step++) {
      await panel.clock.advance(20_000);
      await beat(faults);
      await look();
    }
  }
  return { fleet, enrol, beat, look, live };
}
