import { minutes, seconds } from "../../../../lib/duration.ts";
import type { ClusterReport } from "../../../../shared/agent-protocol/index.ts";
import type { Engine } from "../../../apps/runtime/index.ts";
import type { Needs } from "../needs.ts";
import { measureReach } from "./reach.ts";
import { readSwarmIdentity } from "./swarm-identity.ts";
import { describeSwarm, neighboursOf, type SwarmView } from "./swarm-report.ts";

type Deps = Pick<Needs, "config" | "clock" | "runtime">;

/** The port on which the members of a swarm talk about its networks: every one of them listens there, workers too. */
const SWARM_PORT = 7946;
/** A little less, so that every third heartbeat of 20 seconds finds it new. */
const LOOK_MS = seconds(59);
/** Most engines are in no swarm, and joining one is rare. */
const IDLE_MS = minutes(5);
const MEASURE_MS = minutes(5);
/** More are told, but not tried. */
const MAX_TRIED = 32;

/** The cluster that this node's engine is in. */
export interface ClusterWatch {
  /** What was found last, at once, the same object until it changes; looks anew in the background when that is old. */
  latest(): ClusterReport | null;
  /** When no look is under way. */
  idle(): Promise<void>;
}

/** A watch that has not looked yet. An engine that is slow or gone costs nobody time. */
export function createClusterWatch({ config, clock, runtime }: Deps): ClusterWatch {
  let report: ClusterReport | null = null;
  let formerMembers: SwarmView["formerMembers"] = [];
  let times = new Map<string, number | null>();
  let measuredAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let looking: Promise<void> | null = null;

  async function look(engine: Engine): Promise<void> {
    const facts = await engine.swarm();
    if (facts.state === "inactive" || facts.state === "") {
      report = null;
      formerMembers = [];
      nextAt = clock.monotonic() + IDLE_MS;
      return;
    }
    const identity = await readSwarmIdentity(config.host_root, runtime.facts()?.root_dir ?? "");
    // Without a majority the engine has no list to give, and takes long to say so.
    const members = facts.is_manager && facts.cluster ? await engine.swarmMembers().catch(() => null) : null;
    const view = { facts, identity, members, formerMembers };
    await measure(view);
    const found = withName(describeSwarm(view, times), report);
    if (JSON.stringify(found) !== JSON.stringify(report)) report = found;
    formerMembers = members ?? formerMembers;
  }

  /** Every few minutes, and whenever there is somebody new or a member is not well. */
  async function measure(view: SwarmView): Promise<void> {
    const tried = neighboursOf(view)
      .filter(({ state }) => state !== "down")
      .slice(0, MAX_TRIED);
    const addresses = tried.flatMap(({ address }) => address ?? []);
    const isReached = addresses.every((address) => typeof times.get(address) === "number");
    const isWell = isReached && tried.every(({ state }) => state === "up");
    if (isWell && clock.monotonic() - measuredAt < MEASURE_MS) return;
    const measured = await measureReach({ clock }, addresses, SWARM_PORT);
    times = new Map([...measured].map(([address, time]) => [address, steady(times.get(address) ?? null, time)]));
    measuredAt = clock.monotonic();
  }

  /** An engine that hangs or is gone takes its member with it; one missed look may be a moment's load. */
  function lookInVain(): void {
    failures += 1;
    if (failures >= 2) report = silenced(report);
  }

  return {
    latest() {
      const engine = runtime.engine();
      if (engine === null) {
        report = silenced(report);
        nextAt = Number.NEGATIVE_INFINITY;
      } else if (looking === null && clock.monotonic() >= nextAt) {
        nextAt = clock.monotonic() + LOOK_MS;
        const done = look(engine).then(() => {
          failures = 0;
        }, lookInVain);
        looking = done.finally(() => {
          looking = null;
        });
      }
      return report;
    },
    idle: async () => void (await looking),
  };
}

/** What is left to tell while the engine does not answer: that it belongs there, and sees nobody. */
function silenced(report: ClusterReport | null): ClusterReport | null {
  if (report === null || (report.leader === null && report.peers.length === 0)) return report;
  return { ...report, role: report.role === "leader" ? "manager" : report.role, leader: null, peers: [] };
}

/** Times wobble; one that says nothing new stays as it was told, or the panel would be told everything anew. */
function steady(former: number | null, time: number | null): number | null {
  if (time === null) return null;
  if (former !== null && Math.abs(time - former) <= Math.max(1, former * 0.3)) return former;
  return Math.round(time * 10) / 10;
}

/** Managers without a majority forget what their swarm is called. */
function withName(report: ClusterReport | null, former: ClusterReport | null): ClusterReport | null {
  if (report === null || report.name || former?.id !== report.id) return report;
  return { ...report, name: former.name ?? null };
}
