import { AppError } from "../../../kernel/http/errors.ts";
import type { SocketSession } from "../../../kernel/http/socket.ts";
import { seconds } from "../../../lib/duration.ts";
import { type Attachment, type Engine, EngineError } from "../runtime/index.ts";
import { type ExecEnd, fail, MAX_COLUMNS, MAX_ROWS } from "./contract.ts";
import type { Grant, OpenTerminal, Own } from "./needs.ts";
import { assertRoom, redeemTicket, sentence, type Visitor } from "./tickets.ts";
import { createTimeLimits, HARD_LIMIT_MS, type TimeLimits } from "./time-limits.ts";

/** By this variable everything is found again that was started from one terminal. */
const MARK = "ORRERY_TERMINAL";
/** What a terminal does to its programs when it is closed. An engine would let them go on without one. */
const HANG_UP = `for each in /proc/[0-9]*; do
  tr '\\0' '\\n' <"$each/environ" 2>/dev/null | grep -qx "${MARK}=$1" && kill -HUP "\${each#/proc/}"
done 2>/dev/null; true`;
const HANG_UP_MS = seconds(10);
/** Signs of life of who types are noted this often. */
const NOTE_MS = seconds(30);

const WORDS: Readonly<Record<Exclude<ExecEnd, "exited" | "left" | "refused">, string>> = {
  idle: "Nothing was typed for 15 minutes, so the terminal was closed.",
  too_long: "A terminal stays open for 2 hours at most, so it was closed.",
  access_ended: "Your session was locked or ended, so the terminal was closed.",
  engine_lost: "Docker does not answer any more, so the terminal was closed.",
  node_stopped: "Orrery is being stopped, so the terminal was closed.",
};

/** Lets who brings a ticket talk to a program in a container, until either side ends it. Its start and its end are on record. */
export async function serveTerminal(own: Own, session: SocketSession, visitor: Visitor, ticket: string): Promise<void> {
  try {
    const grant = await redeemTicket(own, visitor, ticket);
    // Others may have come in meanwhile.
    assertRoom(own, grant.user_id);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const place: OpenTerminal = { user_id: grant.user_id, done };
    own.open.add(place);
    try {
      await run(own, session, visitor, grant);
    } finally {
      own.open.delete(place);
      resolve();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    session.sendJson({ type: "ended", reason: error.code, message: error.message });
  }
}

async function run(own: Own, session: SocketSession, { actor, ip }: Visitor, grant: Grant): Promise<void> {
  const { container_id, name, command, run_as } = grant;
  const engine = own.runtime.requireEngine();
  const mark = own.ids.token(16);
  const about = { user_id: actor.user_id, ip, container_id, name, command, run_as };
  own.db.tx(() => own.bus.emit("container.exec_started", about));
  const startedAt = own.clock.monotonic();
  let reason: ExecEnd = "engine_lost";
  let exit_code: number | null = null;
  try {
    const environment = { TERM: "xterm-256color", [MARK]: mark };
    const id = await engine.prepareTerminal(container_id, { argv: command, user: run_as, environment });
    const attachment = await engine.openTerminal(id, session.signal);
    session.sendJson({ type: "ready", command, ends_in_s: HARD_LIMIT_MS / 1000 });
    const talked = await talk(own, session, {
      attachment,
      engine,
      id,
      note: () => own.presence.note({ ...actor, ip }),
    });
    if (talked === "exited") exit_code = await engine.readTerminalEnd(id);
    reason = talked === "left" ? whyLeft(own, { ...actor, ip }) : talked;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (session.signal.aborted) reason = whyLeft(own, { ...actor, ip });
    else if (error.status !== 0) {
      reason = "refused";
      throw fail("exec_refused", { name, reason: sentence(error.message.trim()) });
    } else own.log.warn("terminal broke", { container: name, reason: error.message });
  } finally {
    const duration_s = Math.round((own.clock.monotonic() - startedAt) / 1000);
    own.db.tx(() => own.bus.emit("container.exec_ended", { ...about, reason, exit_code, duration_s }));
    if (reason !== "exited") await hangUp(own, engine, grant, mark);
  }
  if (reason === "exited") session.sendJson({ type: "exit", exit_code });
  else if (reason !== "left" && reason !== "refused")
    session.sendJson({ type: "ended", reason, message: WORDS[reason] });
}

type Who = Parameters<Own["presence"]["isIn"]>[0];

/** Of a connection that is gone: who closed it. */
function whyLeft({ signal, presence }: Own, who: Who): ExecEnd {
  if (signal.aborted) return "node_stopped";
  return presence.isIn(who, "admin") ? "left" : "access_ended";
}

interface Talk {
  attachment: Attachment;
  engine: Engine;
  /** The engine's name for the terminal. */
  id: string;
  /** Told that somebody types, twice a minute at most. */
  note(): void;
}

/** Carries bytes both ways until the program ends, the client leaves or the time is over. */
async function talk(own: Own, session: SocketSession, on: Talk): Promise<ExecEnd> {
  const limits = createTimeLimits(own.clock, (reason, ends_in_s) =>
    session.sendJson({ type: "warning", reason, ends_in_s }),
  );
  const hasLeft = new Promise<"left">((resolve) => {
    if (session.signal.aborted) return resolve("left");
    session.signal.addEventListener("abort", () => resolve("left"), { once: true });
  });
  try {
    sendOn(session, on, limits, own).catch((error: unknown) => own.log.error("terminal input failed", { error }));
    return await Promise.race([carryOutput(session, on.attachment), hasLeft, limits.over]);
  } finally {
    limits.stop();
    on.attachment.close();
  }
}

/** Each piece waits for the client's credit before the next is read: a client that stalls stops the program, not us. */
async function carryOutput(session: SocketSession, { output }: Attachment): Promise<ExecEnd> {
  for await (const bytes of output) await session.sendBytes(bytes);
  return session.signal.aborted ? "left" : "exited";
}

async function sendOn(session: SocketSession, on: Talk, limits: TimeLimits, { clock }: Own): Promise<void> {
  let notedAt = Number.NEGATIVE_INFINITY;
  for await (const message of session.messages) {
    if (message.kind === "bytes") {
      limits.typed();
      if (clock.monotonic() - notedAt >= NOTE_MS) {
        notedAt = clock.monotonic();
        on.note();
      }
      await on.attachment.write(message.bytes);
      continue;
    }
    const { type, columns, rows } = message.value;
    if (type !== "resize" || !isSize(columns, MAX_COLUMNS) || !isSize(rows, MAX_ROWS)) continue;
    // A terminal whose program has just ended has no size any more.
    await on.engine.resizeTerminal(on.id, { columns, rows }).catch(() => null);
  }
}

const isSize = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;

/** Tells what still runs from a terminal that it is closed. What ignores that goes on, as behind any terminal. */
async function hangUp(own: Own, engine: Engine, { container_id, name, run_as }: Grant, mark: string): Promise<void> {
  try {
    await engine.execInside(container_id, ["sh", "-c", HANG_UP, "sh", mark], HANG_UP_MS, run_as);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    own.log.warn("programs of a closed terminal were not told", { container: name, reason: error.message });
  }
}
