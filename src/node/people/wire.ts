/** The people of a node: their accounts, every way to sign in, and who may do what. */
import { type Bus, createBus } from "../../kernel/bus.ts";
import type { Part } from "../../kernel/feature.ts";
import { createList } from "../../kernel/list.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import type { Role } from "../access.ts";
import type { Belongings, LastingWay, NodeBase } from "../base.ts";
import type { EventsOf, NodeFeature } from "../event-meaning.ts";
import type { OpenedData } from "../opened-data.ts";
import type { Identity } from "../platform/identity/index.ts";
import { approvalsFeature, createApprovals } from "./approvals/index.ts";
import { authFeature, createAuth, createResetPassword, tellWays, WAY_KINDS } from "./auth/index.ts";
import type { Needs as AuthNeeds } from "./auth/needs.ts";
import { avatarsFeature, createAvatars } from "./avatars/index.ts";
import { createDavPasswords, davPasswordsFeature, davPasswordsWay } from "./dav-passwords/index.ts";
import { createInvites, invitesFeature, invitesWay } from "./invites/index.ts";
import { createKeys, keysFeature, keysWay } from "./keys/index.ts";
import { createLock, lockFeature } from "./lock/index.ts";
import { createLockInfo, lockInfoFeature } from "./lock-info/index.ts";
import { createPairedDevices, devicesWay, pairedDevicesFeature } from "./paired-devices/index.ts";
import { createPasskeys, passkeysFeature, passkeysWay } from "./passkeys/index.ts";
import { createProfile, profileFeature } from "./profile/index.ts";
import { createQr, qrFeature } from "./qr/index.ts";
import { createSessions, sessionsFeature } from "./sessions/index.ts";
import { createSignIns, signInsFeature } from "./sign-ins/index.ts";
import { createTotp, totpFeature } from "./totp/index.ts";
import { createUsers, usersFeature } from "./users/index.ts";

/** The static halves of the area, in boot order. */
export const peopleFeatures = [
  sessionsFeature,
  usersFeature,
  signInsFeature,
  keysFeature,
  pairedDevicesFeature,
  davPasswordsFeature,
  totpFeature,
  passkeysFeature,
  lockFeature,
  authFeature,
  approvalsFeature,
  qrFeature,
  invitesFeature,
  lockInfoFeature,
  profileFeature,
  avatarsFeature,
] as const satisfies readonly NodeFeature[];

/** What the area's features tell the rest of the node. */
export type PeopleEvents = EventsOf<typeof peopleFeatures>;

/** What the area takes from below. */
interface Needs extends NodeBase {
  bus: Bus<PeopleEvents>;
  identity: Identity;
  plan: AuthNeeds["plan"];
  events: AuthNeeds["events"];
}

/** Makes the features of the area; the order of the lines is the boot order. `authorize` is the program's guard. */
export function wirePeople(base: Needs) {
  const sessions = createSessions(base);
  const users = createUsers({ ...base, sessions });
  const signIns = createSignIns({ ...base, sessions, users });
  const keys = createKeys(base);
  const pairedDevices = createPairedDevices({ ...base, sessions, users, signIns });
  const davPasswords = createDavPasswords({ ...base, users });
  const totp = createTotp({ ...base, users, signIns });
  const passkeys = createPasskeys({ ...base, users, signIns, totp });
  const lock = createLock({ ...base, sessions, users, signIns, passkeys });
  const auth = createAuth({ ...base, sessions, users, signIns, keys, pairedDevices, davPasswords, totp, lock });
  const approvals = createApprovals({ ...base, users, signIns, pairedDevices });
  const qr = createQr({ ...base, signIns, pairedDevices });
  const invites = createInvites({ ...base, users, signIns, totp });
  const lockInfo = createLockInfo({ ...base, users, passkeys, auth, approvals });
  const profile = createProfile(base);
  const avatars = createAvatars({ ...base, users });
  const made = {
    sessions,
    users,
    signIns,
    keys,
    pairedDevices,
    davPasswords,
    totp,
    passkeys,
    lock,
    auth,
    approvals,
    qr,
    invites,
    lockInfo,
    profile,
    avatars,
  };
  return { ...made, authorize: auth.authorize, parts: Object.values(made) satisfies readonly Part[] };
}

/**
 * Makes users and sessions alone, for who works on a data folder without a node around it, such as the way back in from the
 * host. Nobody hears what they tell.
 */
export function wireAccounts(base: Pick<NodeBase, "clock" | "db" | "ids" | "log" | "seal">) {
  const alone = {
    ...base,
    signal: new AbortController().signal,
    bus: createBus<PeopleEvents>(base.log, base.db.afterCommit),
  };
  const lists = {
    names: createList<(id: string) => string | null>(),
    roles: createList<(userId: string) => Role | null>(),
    lastingWays: createList<LastingWay>(),
    belongings: createList<Belongings>(),
  };
  const sessions = createSessions({ ...alone, lists });
  for (const way of [
    keysWay(alone),
    devicesWay({ ...alone, lists, sessions }),
    davPasswordsWay(alone),
    passkeysWay(alone),
    invitesWay(alone),
  ])
    lists.lastingWays.add(way);
  const users = createUsers({ ...alone, lists, sessions });
  return { sessions, users };
}

/** The ways into a node whose data was brought back; `outside` is what a command has without a node. */
export const returnedWays = (outside: Pick<NodeBase, "clock" | "ids" | "log">) => ({
  /** The kinds that may be ended. */
  kinds: WAY_KINDS,
  /** Ends sessions, links and those kinds, and says what still lets people in; empty when nothing does. */
  end: (opened: Pick<NodeBase, "db" | "seal">, kinds: readonly string[]): string =>
    tellWays(wireAccounts({ ...outside, ...opened }).users.endAfterReturn(kinds)),
});

/** The verbs that the area gives the command line; `readLine` gives what was piped in, unless the process' own input is meant. */
export const peopleCommands = (
  data: DataAccess<OpenedData>,
  readLine?: () => Promise<string | null>,
): readonly Command[] => [createResetPassword(data, (opened) => wireAccounts(opened).users, readLine)];
