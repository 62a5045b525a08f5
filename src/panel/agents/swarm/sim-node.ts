import { type Clock, toIso } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { type AgentClient, type AgentEndpoint, createAgentClient } from "../../../shared/agent-client/index.ts";
import {
  type AgentCommand,
  bundleId,
  type CommandResult,
  type HeartbeatInput,
  type HeartbeatOutput,
  retryMs,
} from "../../../shared/agent-protocol/index.ts";
import type { Behaviour } from "./scenarios.ts";

/** What a simulated node keeps from one run to the next. */
export interface SavedNode {
  id: string;
  hostname: string;
  /** PEM: the certificate with the one that signed it, and the key. */
  certificate: string;
  key: string;
}

export interface SimDeps {
  clock: Clock;
  random: () => number;
  endpoint: AgentEndpoint;
  /** The roots to trust, PEM. */
  ca: string;
  version: string;
  /** Lets so many nodes connect at a time: they all share this processor, which real ones do not. */
  gate<T>(run: () => Promise<T>): Promise<T>;
  /** Told when a node has come to be connected, and when it is not any more without having hung up. */
  onPresence?(isConnected: boolean): void;
  /** Told of each command that came: whether it was carried out, or had been before. */
  onCommand?(isRepeated: boolean): void;
}

/** One simulated node. */
export interface SimNode {
  readonly id: string;
  /**
   * Its turn: sends a heartbeat unless its scenario is silent. Gives how long it took in milliseconds, counted from
   * `since` (monotonic); null when it said nothing or hung up. Throws what the client throws.
   */
  beat(since: number): Promise<number | null>;
  /** True while it waits for an answer, or for the time of its next try after a failure. */
  isBusy(): boolean;
  /**
   * Waits for its next turn as a real node does: as long as the panel asked, less when it calls, ever longer while it cannot
   * be reached. `most` in milliseconds, `share` of the time for a first turn.
   */
  rest(most: number, share?: number): Promise<void>;
  /** Ends its rest. */
  wake(): void;
  close(): void;
}

const FIRST_WAIT_S = 20;
const LOST_AFTER_MS = 20;
const MAX_RESULTS = 100;
/** Results of commands that are remembered, so that none is carried out twice. */
const MAX_REMEMBERED = 1_000;

/** A walk that stays between the bounds. */
function createWalk(random: () => number, low: number, high: number, step: number): () => number {
  let value = low + random() * (high - low);
  return () => {
    value = Math.min(high, Math.max(low, value + (random() - 0.5) * step));
    return Math.round(value * 100) / 100;
  };
}

const inventoryOf = (index: number): Record<string, unknown> => ({
  os: "Debian GNU/Linux 12",
  kernel: "6.1.0",
  architecture: "x64",
  cpu_model: "simulated",
  cpu_cores: 4,
  memory_bytes: 8_589_934_592,
  disk_bytes: 107_374_182_400,
  ip_address: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
  region: ["eu-central", "eu-west", "us-east", "ap-south"][index % 4],
  cloud_provider: "swarm",
});

/** The name of a license as it stands in the signed text, so that the panel need not send it again. */
function licenseId(token: string): string | undefined {
  const [, claims = ""] = token.split(".");
  const read: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
  return typeof read === "object" && read !== null && "jti" in read && typeof read.jti === "string"
    ? read.jti
    : undefined;
}

/** A node that behaves as told; it connects when it first speaks. */
export function createSimNode(deps: SimDeps, saved: SavedNode, index: number, behaviour: Behaviour): SimNode {
  const { clock, random, endpoint } = deps;
  let { ca } = deps;
  let caId = bundleId(ca);
  let client: AgentClient | null = null;
  let turn = 0;
  let isBusy = false;
  let isConnected = false;
  let wait = FIRST_WAIT_S;
  let failures = 0;
  /** Monotonic milliseconds. */
  let retryAt = 0;
  let bell = new AbortController();
  let hasReported = false;
  let license: string | undefined;
  let results: CommandResult[] = [];
  const done = new Map<string, CommandResult>();
  let { version } = deps;
  const cpu = createWalk(random, 2, 70, 8);
  const memory = createWalk(random, 20, 80, 2);
  const disk = createWalk(random, 10, 75, 0.2);
  const net = createWalk(random, 1_000, 5_000_000, 400_000);
  const boot = clock.monotonic();

  function present(is: boolean): void {
    if (is !== isConnected) deps.onPresence?.(is);
    isConnected = is;
  }

  function fail(): void {
    failures += 1;
    retryAt = clock.monotonic() + retryMs(failures, random);
    present(false);
    bell.abort();
  }

  const connect = () =>
    createAgentClient(clock, endpoint, { ca, credential: saved }, { onWake: () => bell.abort(), onEnd: fail });

  function compose(skewMs: number, fixedCpu: number | null): HeartbeatInput {
    return {
      status: "ok",
      version,
      hostname: saved.hostname,
      sent_at: toIso(clock.now() + skewMs),
      uptime_seconds: Math.round((clock.monotonic() - boot) / 1_000),
      metrics: {
        cpu_percent: fixedCpu ?? cpu(),
        memory_percent: memory(),
        disk_percent: disk(),
        net_in: Math.round(net()),
        net_out: Math.round(net()),
      },
      ca_id: caId,
      hardware_fingerprint: `swarm-${saved.id}`,
      ...(license === undefined ? {} : { license_id: license }),
      ...(hasReported ? {} : { inventory: inventoryOf(index) }),
      ...(results.length > 0 ? { results } : {}),
    };
  }

  /** Does what it is told: only an update changes anything. */
  function obey({ id, type, payload }: AgentCommand): CommandResult {
    const wanted = type === "update.apply" ? payload["version"] : undefined;
    if (typeof wanted !== "string") return { id, status: "succeeded" };
    if (behaviour.failsUpdates && payload["allow_older"] !== true)
      return { id, status: "failed", error: `${wanted} did not start; ${version} is back` };
    version = wanted;
    return { id, status: "succeeded" };
  }

  /** A command that is told again is answered as it was. */
  function obeyOnce(command: AgentCommand): CommandResult {
    const before = done.get(command.id);
    deps.onCommand?.(before !== undefined);
    const result = before ?? obey(command);
    done.set(command.id, result);
    for (const id of done.keys()) if (done.size > MAX_REMEMBERED) done.delete(id);
    return result;
  }

  function take(answer: HeartbeatOutput): void {
    wait = answer.next_heartbeat_sec;
    hasReported = true;
    results = answer.commands.slice(0, MAX_RESULTS).map(obeyOnce);
    if (answer.license_token !== undefined) license = licenseId(answer.license_token);
    if (answer.ca_certificate === undefined) return;
    ca = answer.ca_certificate;
    caId = bundleId(ca);
    client?.use({ ca, credential: saved });
  }

  function hangUp(): void {
    client?.close();
    client = null;
    isConnected = false;
  }

  async function speak(since: number): Promise<number | null> {
    const plan = behaviour.plan(turn++);
    if (plan.isSilent) {
      hangUp();
      return null;
    }
    if (plan.reconnects) hangUp();
    if (plan.delayMs > 0) await clock.sleep(plan.delayMs);
    const used = client ?? connect();
    client = used;
    const send = () => used.heartbeat(compose(plan.skewMs, plan.cpu));
    const call = isConnected ? send() : deps.gate(send);
    if (plan.losesReply) {
      call.catch(() => {});
      await clock.sleep(random() * LOST_AFTER_MS);
      hangUp();
      return null;
    }
    take(await call);
    failures = 0;
    present(true);
    return clock.monotonic() - since - plan.delayMs;
  }

  return {
    id: saved.id,
    isBusy: () => isBusy || (failures > 0 && clock.monotonic() < retryAt),
    async rest(most, share = 1) {
      const end = clock.monotonic() + most;
      let seen: number;
      do {
        seen = failures;
        bell = new AbortController();
        const now = clock.monotonic();
        const wanted = failures > 0 ? retryAt - now : seconds(wait) * share;
        await clock.sleep(Math.max(0, Math.min(wanted, end - now)), bell.signal);
        // A connection that was lost meanwhile is not opened again at once.
      } while (failures > seen && clock.monotonic() < end);
    },
    wake: () => bell.abort(),
    async beat(since) {
      isBusy = true;
      try {
        return await speak(since);
      } catch (error) {
        fail();
        hangUp();
        throw error;
      } finally {
        isBusy = false;
      }
    },
    close: hangUp,
  };
}
