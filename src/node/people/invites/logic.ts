import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import type { Origin } from "../sessions/index.ts";
import { finishSignIn, giveAttemptBack, type SignInDeps, takeAttempt } from "../sign-ins/index.ts";
import { awaitSecondFactor, isTotpOn, type PasswordOutcome } from "../totp/index.ts";
import {
  type ChangedBy,
  changePassword,
  createUser,
  getUser,
  presentUser,
  tellCreated,
  type User,
  type UserRow,
} from "../users/index.ts";
import { fail, type Invite, type InviteAcceptance, type InviteInfo, type InviteInput } from "./contract.ts";
import * as store from "./store.ts";

type Deps = SignInDeps & Pick<NodeContext, "attempts" | "pendingLogins">;

const INVITE_MS = days(7);

/** A link that nobody has been given yet; `expires_at` in milliseconds. */
interface Link {
  token: string;
  expires_at: number;
}

const drawLink = ({ clock, ids }: Deps): Link => ({ token: ids.token(24), expires_at: clock.now() + INVITE_MS });

const present = (user: User, { token, expires_at }: Link): Invite => ({
  user,
  token,
  link: `/invite#${token}`,
  expires_at: toIso(expires_at),
});

function storeLink({ db, bus }: Deps, by: ChangedBy, user: User, { token, expires_at }: Link): void {
  db.tx(() => {
    store.saveInvite(db, { user_id: user.id, token_hash: sha256Hex(token), expires_at });
    bus.emit("invite.created", { ...by, user_id: user.id, username: user.username });
  });
}

/** Creates an account whose owner sets the password through a link. Throws `username_taken`. */
export async function inviteUser(deps: Deps, by: ChangedBy, input: InviteInput): Promise<Invite> {
  const nobodyKnows = deps.ids.token(32);
  const link = drawLink(deps);
  const user = await createUser(
    deps,
    { ...input, password: nobodyKnows },
    {
      also(created) {
        tellCreated(deps, by, created);
        storeLink(deps, by, created, link);
      },
    },
  );
  return present(user, link);
}

/** A new link for an account, replacing an earlier one. The password holds until the link is used. Throws `user_not_found`. */
export function inviteAgain(deps: Deps, by: ChangedBy, userId: string): Invite {
  const user = presentUser(getUser(deps.db, userId));
  const link = drawLink(deps);
  storeLink(deps, by, user, link);
  return present(user, link);
}

/** The account of a good token. Throws `invite_refused`, `too_many_requests`. */
function openInvite({ db, clock, attempts }: Deps, token: string, ip: string): { user: UserRow; row: store.InviteRow } {
  takeAttempt(attempts, ip);
  const row = store.findInvite(db, sha256Hex(token));
  if (!row || row.expires_at <= clock.now()) throw fail("invite_refused");
  const user = getUser(db, row.user_id);
  if (user.disabled_at !== null) throw fail("invite_refused");
  giveAttemptBack(attempts, ip);
  return { user, row };
}

/** What a link is for, before a password is chosen. Throws `invite_refused`. */
export function lookAtInvite(deps: Deps, token: string, ip: string): InviteInfo {
  const { user, row } = openInvite(deps, token, ip);
  return { username: user.username, role: user.role, expires_at: toIso(row.expires_at) };
}

/**
 * Sets the password through a link, once, which counts as much as knowing it. Throws `invite_refused`,
 * `password_unusable`.
 */
export async function acceptInvite(deps: Deps, input: InviteAcceptance, origin: Origin): Promise<PasswordOutcome> {
  const { user, row } = openInvite(deps, input.token, origin.ip);
  await changePassword(deps, user, input.password, null, () => {
    if (!store.deleteInvite(deps.db, row.token_hash)) throw fail("invite_refused");
    deps.bus.emit("invite.accepted", { user_id: user.id, ip: origin.ip });
  });
  if (isTotpOn(deps, user.id)) return awaitSecondFactor(deps, user);
  return { status: "signed_in", done: finishSignIn(deps, user.id, origin, "invite") };
}
