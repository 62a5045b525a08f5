import { AppError } from "../../../kernel/http/errors.ts";
import type { SocketSession } from "../../../kernel/http/socket.ts";
import { seconds } from "../../../lib/duration.ts";
import { HARD_LIMIT_MS } from "../../../lib/terminal-time.ts";
import { type TerminalLine, talk } from "../../host/host-terminals/index.ts";
import { type Attachment, type Engine, EngineError, tellMarked } from "../runtime/index.ts";
import { type ExecEnd, fail } from "./contract.ts";
import type { Own, Place } from "./needs.ts";
import { findPlace, redeemTicket, sentence, type Visitor } from "./tickets.ts";

/** By this variable everything is found again that was started from one terminal. */
const MARK = "ORRERY_TERMINAL";
/** What a terminal does to its programs when it is closed takes no longer. */
const HANG_UP_MS = seconds(10);

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
    const { actor, ip } = visitor;
    const who = { ...actor, ip };
    await occupy(own, session, grant, {
      ...{ user_id: actor.user_id, ip },
      isIn: () => own.presence.isIn(who, "admin"),
      note: () => own.presence.note(who),
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    session.sendJson({ type: "ended", reason: error.code, message: error.message });
  }
}

/**
 * Lets the panel talk to a shell in a container, as a browser does; whether its people may is the panel's to decide. Throws `exec_…`,
 * `container_not_found`, `runtime_unavailable`.
 */
export async function serveFromAfar(
  own: Own,
  session: SocketSession,
  { by, isIn }: { by: string; isIn: () => boolean },
  id: string,
): Promise<void> {
  const place = await findPlace(own, { id, user_id: by }, {});
  await occupy(own, session, place, { user_id: by, ip: "", isIn, note: () => {} });
}

/** Whoever sits at a terminal. */
interface Person {
  user_id: string;
  ip: string;
  /** Whether they may still be there. */
  isIn(): boolean;
  /** Told that they type, twice a minute at most. */
  note(): void;
}

const occupy = (own: Own, session: SocketSession, place: Place, person: Person): Promise<void> =>
  own.seats.occupy(person.user_id, () => run(own, session, person, place));

async function run(own: Own, session: SocketSession, person: Person, place: Place): Promise<void> {
  const { container_id, name, command, run_as } = place;
  const { user_id, ip } = person;
  const engine = own.runtime.requireEngine();
  const mark = own.ids.token(16);
  const about = { user_id, ip, container_id, name, command, run_as };
  own.db.record(() => own.bus.emit("container.exec_started", about));
  const startedAt = own.clock.monotonic();
  let reason: ExecEnd = "engine_lost";
  let exit_code: number | null = null;
  try {
    const environment = { TERM: "xterm-256color", [MARK]: mark };
    const id = await engine.prepareTerminal(container_id, { argv: command, user: run_as, environment });
    const attachment = await engine.openTerminal(id, session.signal);
    session.sendJson({ type: "ready", command, ends_in_s: HARD_LIMIT_MS / 1000 });
    const talked = await talk(own, session, lineOf(engine, id, attachment, person.note));
    if (talked === "exited") exit_code = await engine.readTerminalEnd(id);
    reason = talked === "left" ? whyLeft(own, person) : talked;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (session.signal.aborted) reason = whyLeft(own, person);
    else if (error.status !== 0) {
      reason = "refused";
      throw fail("exec_refused", { name, reason: sentence(error.message.trim()) });
    } else own.log.warn("terminal broke", { container: name, reason: error.message });
  } finally {
    const duration_s = Math.round((own.clock.monotonic() - startedAt) / 1000);
    own.db.record(() => own.bus.emit("container.exec_ended", { ...about, reason, exit_code, duration_s }));
    if (reason !== "exited") await hangUp(own, engine, place, mark);
  }
  if (reason === "exited") session.sendJson({ type: "exit", exit_code });
  else if (reason !== "left" && reason !== "refused")
    session.sendJson({ type: "ended", reason, message: WORDS[reason] });
}

/** Of a connection that is gone: who closed it. */
function whyLeft({ signal }: Own, person: Person): ExecEnd {
  if (signal.aborted) return "node_stopped";
  return person.isIn() ? "left" : "access_ended";
}

/** The terminal in its container, as the talk needs it. */
const lineOf = (
  engine: Engine,
  id: string,
  { output, write, close }: Attachment,
  note: () => void,
): TerminalLine<"exited"> => ({
  async carryOutput(send) {
    for await (const bytes of output) await send(bytes);
    return "exited";
  },
  write,
  // A terminal whose program has just ended has no size any more.
  resize: (size) =>
    engine.resizeTerminal(id, size).then(
      () => {},
      () => {},
    ),
  close,
  note,
});

/** Tells what still runs from a terminal that it is closed. What ignores that goes on, as behind any terminal. */
async function hangUp(own: Own, engine: Engine, { container_id, name, run_as }: Place, mark: string): Promise<void> {
  try {
    await engine.execInside(container_id, tellMarked(`${MARK}=${mark}`, "HUP"), HANG_UP_MS, run_as);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    own.log.warn("programs of a closed terminal were not told", { container: name, reason: error.message });
  }
}
