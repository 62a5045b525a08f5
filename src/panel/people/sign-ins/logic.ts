import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { requireWholeAccount } from "../sessions/index.ts";
import { fail, type SignIn, type SignInsEnded } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Where the caller is signed in, the last used first. Throws `reauth_required`. */
export async function listOwn({ sessions }: Pick<Needs, "sessions">, actor: Actor): Promise<SignIn[]> {
  requireWholeAccount(actor);
  const rows = await sessions.listSignIns(actor.account_id);
  return rows.map(({ id, family, device, network, begun_at, renewed_at }) => ({
    id: family,
    // Sign-ins from before that was written down have none.
    device: device === "" ? "Unknown device" : device,
    ip: network,
    created_at: toIso(begun_at),
    last_used_at: toIso(renewed_at),
    current: id === actor.session_id,
  }));
}

/** Ends one of the caller's sign-ins at once. Throws `session_not_found`, `reauth_required`. */
export async function endOne(needs: Needs, actor: Actor, ip: string, id: string): Promise<{ message: string }> {
  requireWholeAccount(actor);
  return needs.system.by(actor).tx(async (tx) => {
    const rows = await needs.sessions.listSignIns(actor.account_id, tx);
    if (!rows.some(({ family }) => family === id)) throw fail("session_not_found", { id });
    await needs.sessions.endFamily(tx, actor.account_id, id, needs.clock.now());
    await needs.bus.emit(tx, "account.sign_ins_ended", { by: byMember(actor, ip), count: 1 });
    return { message: "That sign-in has ended." };
  });
}

/** Ends all of the caller's sign-ins but the one that asks. Throws `reauth_required`. */
export async function endOthers(needs: Needs, actor: Actor, ip: string): Promise<SignInsEnded> {
  requireWholeAccount(actor);
  return needs.system.by(actor).tx(async (tx) => {
    const rows = await needs.sessions.listSignIns(actor.account_id, tx);
    const own = rows.find(({ id }) => id === actor.session_id)?.family;
    const others = rows.filter(({ family }) => family !== own);
    await needs.sessions.endOtherSessions(tx, actor.account_id, actor.session_id, needs.clock.now());
    if (others.length > 0)
      await needs.bus.emit(tx, "account.sign_ins_ended", { by: byMember(actor, ip), count: others.length });
    return { message: "You are signed out everywhere else.", ended: others.length };
  });
}
