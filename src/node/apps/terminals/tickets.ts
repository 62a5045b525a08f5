import { AppError } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { seconds } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { terminalFail } from "../../host/host-terminals/index.ts";
import { EngineError } from "../runtime/index.ts";
import { type ExecInput, type ExecTicket, fail } from "./contract.ts";
import type { Grant, Own, Place } from "./needs.ts";

export const TICKET_MS = seconds(30);
const LOOK_MS = seconds(15);

/** Says which shell there is; a container without any cannot say anything. */
const FIND_SHELL = ["sh", "-c", "if command -v bash >/dev/null 2>&1; then echo bash; else echo sh; fi"];

/** Who wants to open a terminal, and where. */
export interface Visitor {
  actor: Actor;
  ip: string;
  id: string;
}

/** Puts on record that somebody was refused, and passes the reason on. */
async function onRecord<Result>(own: Own, { actor, ip, id }: Visitor, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      const { code } = error;
      own.db.record(() =>
        own.bus.emit("container.exec_refused", { user_id: actor.user_id, ip, container_id: id, code }),
      );
    }
    throw error;
  }
}

/**
 * Looks whether a terminal can be opened and gives a ticket for it. Throws `exec_…`, `container_not_found`, `owned_by_other_node`,
 * `runtime_unavailable`; each of them is put on record.
 */
export const issueTicket = (own: Own, visitor: Visitor, input: ExecInput): Promise<ExecTicket> =>
  onRecord(own, visitor, async () => {
    const { actor, id } = visitor;
    const { session_id, user_id } = actor;
    if (session_id === null) throw terminalFail("exec_needs_session");
    const place = await findPlace(own, { id, user_id }, input);
    const ticket = own.ids.token(32);
    const grant: Grant = { user_id, session_id, asked: id, ...place };
    own.tickets.set(sha256Hex(ticket), grant, [user_id]);
    return { ticket, expires_at: toIso(own.clock.now() + TICKET_MS), command: place.command };
  });

/**
 * Looks whether a terminal can be opened and what would run on it. Throws `exec_…`, `container_not_found`, `owned_by_other_node`,
 * `runtime_unavailable`.
 */
export async function findPlace(
  own: Own,
  { id, user_id }: { id: string; user_id: string },
  input: ExecInput,
): Promise<Place> {
  const { Id, Name, State } = await own.containers.get(id);
  const name = Name.replace(/^\//, "");
  if (!State.Running || State.Status !== "running") throw fail("exec_not_running", { name });
  own.seats.assertRoom(user_id);
  const run_as = input.user ?? null;
  const command = input.command ?? [await findShell(own, { id: Id, name, run_as })];
  return { container_id: Id, name, command, run_as };
}

interface Shelled {
  id: string;
  name: string;
  run_as: string | null;
}

async function findShell(own: Own, { id, name, run_as }: Shelled): Promise<string> {
  try {
    const { exit_code, output } = await own.runtime.requireEngine().execInside(id, FIND_SHELL, LOOK_MS, run_as);
    const shell = output.trim();
    if (exit_code === 0 && (shell === "bash" || shell === "sh")) return shell;
    if (/unable to find (user|group)|no matching entries/.test(output))
      throw fail("exec_refused", { name, reason: sentence(shell) });
  } catch (error) {
    if (!(error instanceof EngineError) || error.status === 0) throw error;
    const reason = error.message.trim();
    // Engines differ in whether they refuse to start, or start and then say that they could not.
    if (!/executable file not found|no such file/.test(reason))
      throw fail("exec_refused", { name, reason: sentence(reason) });
  }
  throw fail("exec_no_shell", { name });
}

/** Words of the engine, with an end. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Takes a ticket in: it opens one terminal, for whom and where it was given. Throws `exec_ticket_used`, `exec_too_many`. */
export const redeemTicket = (own: Own, visitor: Visitor, ticket: string): Promise<Grant> =>
  onRecord(own, visitor, async () => {
    const { actor, id } = visitor;
    const grant = own.tickets.take(sha256Hex(ticket));
    if (grant?.user_id !== actor.user_id || grant.session_id !== actor.session_id || grant.asked !== id) {
      throw terminalFail("exec_ticket_used", { seconds: TICKET_MS / 1000 });
    }
    own.seats.assertRoom(actor.user_id);
    return grant;
  });
