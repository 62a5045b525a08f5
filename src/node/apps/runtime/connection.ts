import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { chooseApiVersion } from "./api-version.ts";
import { attachTo } from "./attach.ts";
import { fail, type RuntimeStatus } from "./contract.ts";
import { explainSilence, explainTooOld, viewHost } from "./diagnosis.ts";
import { createEngine, type Engine } from "./engine.ts";
import { createWire } from "./engine-wire.ts";
import { shareLooks } from "./shared-looks.ts";
import type { EngineEvent, EngineFacts } from "./verbs/system.ts";

/** What a feature does with the engine's comings and goings. */
export interface RuntimeWatcher {
  /** After every connect, with the event stream already open: read all that may have changed. */
  connected(engine: Engine): void | Promise<void>;
  /** Container events in order. */
  event(event: EngineEvent, engine: Engine): void;
  disconnected?(): void;
}

/** The one way to containers. */
export interface Connection {
  status(): RuntimeStatus;
  /** The engine while it is there. */
  engine(): Engine | null;
  /** The engine; throws `runtime_unavailable` with the cause and the remedy. */
  requireEngine(): Engine;
  /** What is known about the connected engine. */
  facts(): EngineFacts | null;
  watch(watcher: RuntimeWatcher): void;
  /** Connects, and again whenever the connection is lost, until the program stops. */
  start(): void;
}

interface Deps {
  socketPath: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Told about every changed status. */
  onChange(status: RuntimeStatus): void;
}

interface Connected {
  engine: Engine;
  facts: EngineFacts;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = seconds(5);

/** A connection to the engine on `socketPath`, not connected yet. */
export function createConnection({ socketPath, clock, log, signal, onChange }: Deps): Connection {
  const watchers: RuntimeWatcher[] = [];
  let connected: Connected | null = null;
  let status = explainSilence(socketPath, viewHost(socketPath), "it was not asked yet");

  function become(next: RuntimeStatus): void {
    const isSame = next.state === status.state && next.message === status.message && next.version === status.version;
    status = next;
    if (isSame) return;
    log.info("container runtime", { state: next.state, version: next.version, reason: next.message });
    onChange(next);
  }

  /** Connects once and stays until the stream ends; an engine that is too old is left at once. */
  async function session(): Promise<"ended" | "too_old"> {
    const version = await createWire(socketPath, "").call<{
      Version: string;
      ApiVersion: string;
      MinAPIVersion?: string;
    }>("GET", "/version", { timeoutMs: seconds(10), signal });
    const api = chooseApiVersion(version.ApiVersion, version.MinAPIVersion ?? version.ApiVersion);
    if (api === null) {
      become(explainTooOld(version.Version, version.ApiVersion));
      return "too_old";
    }
    const engine = createEngine(shareLooks(createWire(socketPath, `v${api}`)), attachTo(socketPath, `v${api}`));
    const leaving = new AbortController();
    const events = await engine.followEvents(AbortSignal.any([signal, leaving.signal]));
    const facts = await engine.facts();
    connected = { engine, facts };
    become({
      state: "ok",
      version: version.Version,
      api_version: api,
      driver: facts.driver,
      message: `Docker ${version.Version} is running.`,
      next_step: null,
    });
    try {
      for (const watcher of watchers) {
        // A program that ends meanwhile has closed what they would write to.
        signal.throwIfAborted();
        await watcher.connected(engine);
      }
      for await (const event of events) for (const watcher of watchers) watcher.event(event, engine);
    } finally {
      leaving.abort();
      connected = null;
      for (const watcher of watchers) watcher.disconnected?.();
    }
    return "ended";
  }

  async function stayConnected(): Promise<void> {
    let waitMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        const outcome = await session();
        if (signal.aborted) return;
        if (outcome === "ended") {
          waitMs = FIRST_RETRY_MS;
          become(explainSilence(socketPath, viewHost(socketPath), "the connection was closed"));
        }
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : String(error);
        become(explainSilence(socketPath, viewHost(socketPath, error), reason));
      }
      await clock.sleep(waitMs, signal);
      waitMs = Math.min(waitMs * 2, LAST_RETRY_MS);
    }
  }

  return {
    status: () => status,
    engine: () => connected?.engine ?? null,
    requireEngine() {
      if (!connected) throw fail("runtime_unavailable", { ...status });
      return connected.engine;
    },
    facts: () => connected?.facts ?? null,
    watch: (watcher) => void watchers.push(watcher),
    start: () => void stayConnected(),
  };
}
