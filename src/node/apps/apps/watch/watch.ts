import { toIso } from "../../../../lib/clock.ts";
import type { Engine, RuntimeWatcher } from "../../runtime/index.ts";
import { readOutline } from "../blueprint/blueprint.ts";
import { APP_LABEL, NODE_LABEL, nodeId, SERVICE_LABEL } from "../blueprint/names.ts";
import type { AppEvents } from "../contract.ts";
import { appEvent, moveApp } from "../move.ts";
import type { Own } from "../needs.ts";
import { isBusy } from "../status.ts";
import { type AppRow, findApp, listApps } from "../store.ts";
import { startApp } from "../work/begin-work.ts";
import { findHold } from "../work/holds.ts";
import { resumeWorks } from "../work/launch.ts";
import { createContainerEnds } from "./container-ends.ts";
import { createCrashLoops } from "./crash-loops.ts";
import { insertCrash } from "./crash-store.ts";
import { fellWithEngine } from "./engine-return.ts";
import { readLastWords } from "./last-words.ts";
import { observe } from "./observe.ts";
import { lookAtServices, SETTLE_MS, type SeenService } from "./observe-app.ts";
import { createOomJudge } from "./oom-kills.ts";
import { removeOrphans } from "./orphans.ts";
import { unexpectedEnd } from "./unexpected-end.ts";

/** Docker says `die` first and `stop` a moment later; what a death means is known only then. */
const JUDGE_MS = 200;
/** Ends that a clean shutdown of the server or of Docker leads to. */
const QUIET_EXITS = [0, 143];
const TELLING = ["start", "die", "stop", "health_status", "destroy", "pause", "unpause"];

/** A service that came down unasked, and what there is to tell of it. */
interface Ended {
  service: SeenService;
  end: AppEvents["app.service_ended"];
}

/** Keeps the statuses of all apps true to their containers, by the engine's events. */
export function watchContainers(own: Own): RuntimeWatcher {
  const { clock, state, db, bus } = own;
  const node = nodeId(own.seal);
  const ends = createContainerEnds(state.deaths, createOomJudge(own.host.oomKills));
  const loops = createCrashLoops(clock);
  /** Containers that died by themselves, to be told of at the next look. */
  const fallen = new Map<string, Set<string>>();
  const cancelLook = new Map<string, () => void>();
  const looking = new Map<string, Promise<void>>();
  let wasConnected = false;

  function scheduleLook(appId: string, ms: number): void {
    cancelLook.get(appId)?.();
    cancelLook.set(
      appId,
      clock.after(ms, () => void look(appId)),
    );
  }

  /** Looks are one after the other for each app. */
  function look(appId: string, isCatchingUp = false): Promise<void> {
    const next = (looking.get(appId) ?? Promise.resolve())
      .then(() => lookNow(appId, isCatchingUp))
      .catch((error: unknown) => own.log.warn("an app could not be looked at", { app_id: appId, error }))
      .finally(() => {
        if (looking.get(appId) === next) looking.delete(appId);
      });
    looking.set(appId, next);
    return next;
  }

  async function lookNow(appId: string, isCatchingUp: boolean): Promise<void> {
    const engine = own.runtime.engine();
    const app = findApp(db, appId);
    if (!engine || !app || app.installed_at === null || isBusy(app.status)) return;
    const seen = await lookAtServices(own, engine, { app, project: readOutline(own, app) }, ends.wasStopped);
    // Nobody heard how these ended; a clean exit is taken for somebody's wish.
    if (isCatchingUp) {
      for (const { observed, now } of seen)
        if (now.exit_code !== null && QUIET_EXITS.includes(now.exit_code)) observed.wasStopped = true;
    }
    const ended = findEnded(app, seen, isCatchingUp);
    noteLoops(app, seen, ended);
    const waits = seen.flatMap(({ now, observed }) => [
      ...(observed.isSettling ? [SETTLE_MS] : []),
      ...(observed.loopEnds === null ? [] : [loops.find(appId, now.name)?.over_in_ms ?? 0]),
    ]);
    if (waits.length > 0) scheduleLook(appId, Math.min(...waits));
    const isEnginesDoing = isCatchingUp && (await fellWithEngine(own, engine, app, seen, wasConnected));
    // Asked at once, for the log goes with the container.
    const words = new Map<string, string[]>();
    for (const { service } of ended) {
      const { container_id, name } = service.now;
      if (container_id !== null) words.set(name, await readLastWords(own, engine, appId, container_id));
    }
    // Somebody may have begun to work on it while its lines were read; the end of that work looks again.
    const current = findApp(db, appId);
    // What a lost engine said is no word about how things stand with the one that is there now: that is looked at too.
    if (current?.status !== app.status || own.runtime.engine() !== engine) return;
    if (isEnginesDoing && findHold(own, appId) === null) startAgain(current);
    else tell(current, seen, ended, words);
  }

  /** The services that came down unasked since the latest look, and how. */
  function findEnded(app: AppRow, seen: readonly SeenService[], isCatchingUp: boolean): Ended[] {
    const dead = fallen.get(app.id);
    fallen.delete(app.id);
    if (app.status === "stopped") return [];
    return seen.flatMap((service) => {
      const fell = dead?.has(service.now.container_id ?? "") || (isCatchingUp && fellUnseen(service));
      const end = fell ? unexpectedEnd(app, service, state.deaths) : null;
      return end ? [{ service, end }] : [];
    });
  }

  function noteLoops(app: AppRow, seen: readonly SeenService[], ended: readonly Ended[]): void {
    for (const { service } of ended) loops.note(app.id, service.now.name);
    for (const { now, observed } of seen) {
      observed.loopEnds = observed.wasStopped ? null : (loops.find(app.id, now.name)?.ends ?? null);
    }
  }

  function tell(
    app: AppRow,
    seen: readonly SeenService[],
    ended: readonly Ended[],
    words: ReadonlyMap<string, string[]>,
  ): void {
    for (const { end } of ended) bus.emit("app.service_ended", end);
    const { trigger, cause, next_step } = observe(seen.map(({ observed }) => observed));
    db.tx(() => {
      // How the containers of a stopped app ended, or whether they are still there, is nobody's concern.
      if (app.status === "stopped" && trigger !== "saw_running" && trigger !== "saw_degraded") return;
      const moved = moveApp(own, app.id, trigger, { cause, next_step });
      if (!moved) return;
      for (const { service, end } of ended) {
        const { failure } = service.observed;
        const death = state.deaths.get(service.now.container_id ?? "");
        const crash = {
          service: service.now.name,
          at: toIso(death?.at ?? clock.now()),
          exit_code: end.exit_code,
          is_oom: end.is_oom,
          cause: failure?.cause ?? `${service.now.name} ended unexpectedly.`,
          lines: words.get(service.now.name) ?? [],
        };
        insertCrash(db, app.id, crash);
        const { at, exit_code, is_oom } = crash;
        bus.emit("app.crashed", {
          ...appEvent(app, moved.status),
          service: crash.service,
          cause: crash.cause,
          next_step: failure?.next_step ?? null,
          end: { at, exit_code, is_oom },
        });
      }
      const wasUp = app.status === "running" || app.status === "degraded";
      if (moved.status === "running" && !wasUp) bus.emit("app.started", appEvent(app, "running"));
      if (moved.status === "stopped" && wasUp) bus.emit("app.stopped", appEvent(app, "stopped"));
    });
  }

  /**
   * Starts an app that came down with the engine. Begun in one transaction with what was seen: an app that was written down as stopped
   * would stay so if the engine or the node went away once more.
   */
  function startAgain({ id, name, status }: AppRow): void {
    state.returned_at = clock.monotonic();
    own.log.info("app started again after the return of the engine", { app_id: id, name });
    db.tx(() => {
      if (status === "running") moveApp(own, id, "saw_stopped");
      startApp(own, null, id);
    });
  }

  function noteFall(appId: string, containerId: string): void {
    const app = findApp(db, appId);
    if (!app || isBusy(app.status)) return;
    const ids = fallen.get(appId) ?? new Set();
    fallen.set(appId, ids.add(containerId));
  }

  return {
    async connected(engine: Engine) {
      // What was seen before says nothing any more: an engine stops and starts all containers with itself.
      ends.reset();
      loops.reset();
      const known = listApps(db);
      // Work that is there already was cut off, by the end of the engine or of both.
      if (wasConnected || known.some(({ work }) => work !== null)) state.returned_at = clock.monotonic();
      resumeWorks(own, known);
      await removeOrphans(own, engine);
      for (const app of known) if (app.work === null) await look(app.id, true);
      wasConnected = true;
    },
    event(event) {
      const { action, id, attributes } = event;
      const appId = attributes[APP_LABEL];
      if (appId === undefined || attributes[NODE_LABEL] !== node || attributes[SERVICE_LABEL] === undefined) return;
      ends.note(event);
      const app = findApp(db, appId);
      if (app && isBusy(app.status)) loops.forget(appId);
      if (action === "die") noteFall(appId, id);
      if (action === "destroy") fallen.get(appId)?.delete(id);
      if (TELLING.includes(action)) scheduleLook(appId, JUDGE_MS);
    },
    disconnected() {
      for (const cancel of cancelLook.values()) cancel();
      cancelLook.clear();
      fallen.clear();
    },
  };
}

/** Whether a service came down, or was started again by Docker, while nobody listened. */
function fellUnseen({ before, now, observed }: SeenService): boolean {
  if (!before || before.container_id !== now.container_id || observed.wasStopped) return false;
  if (now.restarts > before.restarts) return true;
  return before.state === "running" && now.state === "exited" && !(observed.isOneShot && now.exit_code === 0);
}
