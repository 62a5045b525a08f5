import { AppError } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { seconds } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { readHostTerminal } from "./choose.ts";
import { fail, type HostTerminalTicket } from "./contract.ts";
import type { Own } from "./needs.ts";

export const TICKET_MS = seconds(30);

/** Who wants to open a terminal. */
export interface Visitor {
  actor: Actor;
  ip: string;
}

/** Puts on record that somebody was refused, and passes the reason on. */
function onRecord<Result>(own: Own, { actor, ip }: Visitor, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) {
      const { code } = error;
      own.db.record(() => own.bus.emit("host.terminal_refused", { user_id: actor.user_id, ip, code }));
    }
    throw error;
  }
}

/** As whom terminals open now. Throws `host_terminal_off`. */
export function requireUser(own: Pick<Own, "db" | "config">): string {
  const { run_as } = readHostTerminal(own);
  if (run_as === null) throw fail("host_terminal_off");
  return run_as;
}

/** Gives a ticket for a terminal. Throws `exec_needs_session`, `host_terminal_off`, `exec_too_many`; each of them is put on record. */
export const issueTicket = (own: Own, visitor: Visitor): HostTerminalTicket =>
  onRecord(own, visitor, () => {
    const { session_id, user_id } = visitor.actor;
    if (session_id === null) throw fail("exec_needs_session");
    const run_as = requireUser(own);
    own.seats.assertRoom(user_id);
    const ticket = own.ids.token(32);
    own.tickets.set(sha256Hex(ticket), { user_id, session_id }, [user_id]);
    return { ticket, expires_at: toIso(own.clock.now() + TICKET_MS), run_as };
  });

/** Takes a ticket in: it opens one terminal, for whom it was given. Throws `exec_ticket_used`, `host_terminal_off`, `exec_too_many`. */
export const redeemTicket = (own: Own, visitor: Visitor, ticket: string): void =>
  onRecord(own, visitor, () => {
    const { user_id, session_id } = visitor.actor;
    const grant = own.tickets.take(sha256Hex(ticket));
    if (grant?.user_id !== user_id || grant.session_id !== session_id)
      throw fail("exec_ticket_used", { seconds: TICKET_MS / 1000 });
    requireUser(own);
    own.seats.assertRoom(user_id);
  });
