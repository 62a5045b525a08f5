import { AppError } from "../../../kernel/http/errors.ts";
import type { SocketSession } from "../../../kernel/http/socket.ts";
import { createChannel } from "../../../lib/channel.ts";
import { HARD_LIMIT_MS } from "../../../lib/terminal-time.ts";
import type { HostTalk, TalkInput } from "../host-role/index.ts";
import type { HostTerminalEnd, TerminalQuery } from "./contract.ts";
import type { Own } from "./needs.ts";
import { talk } from "./talk.ts";
import { redeemTicket, requireUser, type Visitor } from "./tickets.ts";

const WORDS: Readonly<Record<Exclude<HostTerminalEnd, "exited" | "left" | "refused">, string>> = {
  idle: "Nothing was typed for 15 minutes, so the terminal was closed.",
  too_long: "A terminal stays open for 2 hours at most, so it was closed.",
  access_ended: "Your session was locked or ended, so the terminal was closed.",
  host_lost: "The server's host role ended, and the shell with it. Open the terminal again.",
  turned_off: "An admin turned the terminal of this server off or gave it to another user, so it was closed.",
  node_stopped: "Orrery is being stopped, so the terminal was closed.",
};

interface Size {
  columns: number;
  rows: number;
}

/** Whoever sits at a terminal. */
interface Person {
  user_id: string;
  ip: string;
  /** Whether they may still be there. */
  isIn(): boolean;
  note(): void;
}

/** Lets who brings a ticket talk to a shell of the server, until either side ends it. Its start and its end are on record. */
export async function serveTerminal(
  own: Own,
  session: SocketSession,
  visitor: Visitor,
  { ticket, cols = 80, rows = 24 }: TerminalQuery,
): Promise<void> {
  try {
    redeemTicket(own, visitor, ticket);
    const { actor, ip } = visitor;
    const who = { ...actor, ip };
    const isIn = () => own.presence.isIn(who, "admin");
    const person = { user_id: actor.user_id, ip, isIn, note: () => own.presence.note(who) };
    await occupy(own, session, person, { columns: cols, rows });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    session.sendJson({ type: "ended", reason: error.code, message: error.message });
  }
}

/** Lets the panel talk to a shell of the server, as a browser does; whether its people may is the panel's to decide. */
export const serveFromAfar = (own: Own, session: SocketSession, by: string, isIn: () => boolean): Promise<void> =>
  occupy(own, session, { user_id: by, ip: "", isIn, note: () => {} }, { columns: 80, rows: 24 });

const occupy = (own: Own, session: SocketSession, person: Person, size: Size): Promise<void> =>
  own.seats.occupy(person.user_id, () => run(own, session, person, size));

async function run(own: Own, session: SocketSession, person: Person, size: Size): Promise<void> {
  const run_as = requireUser(own);
  const about = { user_id: person.user_id, ip: person.ip, run_as };
  own.db.record(() => own.bus.emit("host.terminal_started", about));
  const startedAt = own.clock.monotonic();
  let end: { reason: HostTerminalEnd; exit_code: number | null } = { reason: "refused", exit_code: null };
  try {
    end = await talkToShell(own, session, person, { run_as, size });
  } finally {
    const duration_s = Math.round((own.clock.monotonic() - startedAt) / 1000);
    own.db.record(() => own.bus.emit("host.terminal_ended", { ...about, ...end, duration_s }));
  }
  const { reason, exit_code } = end;
  if (reason === "exited") session.sendJson({ type: "exit", exit_code });
  else if (reason !== "left" && reason !== "refused")
    session.sendJson({ type: "ended", reason, message: WORDS[reason] });
}

/** Talks until the end, and says how it ended. Throws what the host role refuses before the shell is open. */
async function talkToShell(
  own: Own,
  session: SocketSession,
  person: Person,
  { run_as, size }: { run_as: string; size: Size },
): Promise<{ reason: HostTerminalEnd; exit_code: number | null }> {
  const over = new AbortController();
  const input = createInput(over.signal);
  let exit_code: number | null = null;
  let isOpen = false;
  let isTurnedOff = false;
  const turnOff = (): void => {
    isTurnedOff = true;
    over.abort(new Error("the terminal was turned off"));
  };
  own.open.add(turnOff);

  async function carryOutput(output: HostTalk["output"]): Promise<"exited" | "host_lost"> {
    const opened = (): void => {
      isOpen = true;
      session.sendJson({ type: "ready", run_as, ends_in_s: HARD_LIMIT_MS / 1000 });
    };
    const asked = { by: person.user_id, signal: over.signal, talk: { input: input.items, opened, output } };
    try {
      const done = await own.hostRole.ask("terminal.open", { user: run_as, ...size }, asked);
      exit_code = done.exit_code;
      return "exited";
    } catch (error) {
      if (!over.signal.aborted && !isOpen) throw error;
      return "host_lost";
    }
  }

  try {
    const reason = await talk<"exited" | "host_lost">(own, session, {
      carryOutput,
      write: (bytes) => input.hand({ bytes }),
      resize: (next) => input.hand(next),
      close: () => over.abort(new Error("the terminal is closed")),
      note: person.note,
    });
    if (isTurnedOff) return { reason: "turned_off", exit_code };
    return { reason: reason === "left" ? whyLeft(own, person) : reason, exit_code };
  } finally {
    own.open.delete(turnOff);
  }
}

/** Of a connection that is gone: who closed it. */
function whyLeft({ signal }: Own, person: Person): HostTerminalEnd {
  if (signal.aborted) return "node_stopped";
  return person.isIn() ? "left" : "access_ended";
}

/** What is handed over one after another, each when the one before was taken. */
function createInput(signal: AbortSignal) {
  const waiting = createChannel<{ input: TalkInput; taken: () => void }>(2, signal);
  const gone = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  async function* take(): AsyncGenerator<TalkInput> {
    for await (const { input, taken } of waiting) {
      yield input;
      taken();
    }
  }
  return {
    items: take(),
    async hand(input: TalkInput): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ input, taken: resolve });
      await Promise.race([promise, gone]);
    },
  };
}
