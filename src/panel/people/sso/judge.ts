import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import type { Language } from "../../languages.ts";
import type { AccountProof } from "../accounts/index.ts";
import { type AccountRow, judgeRemoval, type MembershipRow, markOf, NO_PASSWORD } from "../tenants/index.ts";
import { fail, type GivenRole, type RefusalCause } from "./contract.ts";
import { findOwnerOf } from "./domain-store.ts";
import type { Identity, Pass } from "./flows.ts";
import { domainOf, pickRole } from "./identity.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";
import { markOfSubject } from "./subject-store.ts";
import { findWho, isOurWord, type Who } from "./who.ts";

/** How many workspaces one account may be in. */
const MAX_WORKSPACES = 100;

/** Somebody who is not let in. */
export class NotLetIn extends Error {
  readonly refusal: RefusalCause;
  constructor(refusal: RefusalCause, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** Under which somebody at a provider is linked with a member. */
export const keyOf = ({ connector, identity }: Pass): store.LinkKey => ({
  ...{ tenant_id: connector.tenant_id, connector_id: connector.id },
  ...{ issuer: identity.issuer, subject: identity.subject },
});

/** What was found out before. */
export interface Known {
  /** Of the account whose owner is here. */
  proof: AccountProof | null;
  /** They want an account of their own in the place of one that never proved their address. */
  isAnew: boolean;
  /** The panel takes no new accounts. */
  isClosed: boolean;
  /** What the browser asks for. */
  browser_language: Language | null;
}

/** Whom a provider named, and who may come in. */
export interface Welcome {
  connector: store.ConnectorRow;
  key: store.LinkKey;
  role: GivenRole | null;
  /** Who it named as them before, if anybody. */
  linked: string | null;
  /** Null for whoever it named before and who is a member still. */
  arrival: Arrival | null;
}

/** Somebody new at a provider. */
export interface Arrival {
  email: string;
  who: Who;
  /** Somebody let them in since they were removed. */
  wasRemoved: boolean;
  /** The account that has the address gives it up for them. */
  isLetGo: boolean;
}

/** That somebody may come in, which changes nothing. Throws NotLetIn, `sso_proof_missing`. */
export async function judge(own: Own, tx: SystemTx, pass: Pass, known: Known): Promise<Welcome> {
  const { connector: begun, identity } = pass;
  const connector = await store.findConnector(tx, begun.tenant_id, begun.id);
  if (!connector || connector.version !== begun.version)
    throw new NotLetIn("changed", "This sign-in was changed meanwhile. Begin again.");
  if (connector.state === "off") throw new NotLetIn("off", "This sign-in is off. Ask an owner of the workspace.");
  const role = pickRole(connector, identity.groups);
  const key = keyOf(pass);
  const linked = await store.findLinkedMember(tx, key);
  // Whoever was removed comes back by an invitation alone, as another member than before.
  const isGone = linked !== null && !(await own.tenants.findMembership(key.tenant_id, linked, tx));
  if (isGone) await requireMember(own, tx, key, identity);
  const isNew = linked === null || isGone;
  const arrival = isNew ? await judgeArrival(own, tx, key, identity, role, known) : null;
  if (!isNew) requireRole(connector, await requireOpen(own, tx, key.tenant_id, linked), role);
  return { connector, key, role, linked, arrival };
}

const accessEnded = () =>
  new NotLetIn("access_ended", "Your access to this workspace was ended. An owner or admin of it can give it back.");

/** Throws NotLetIn unless whoever has this address is a member of the workspace by now. */
async function requireMember(own: Own, tx: SystemTx, key: store.LinkKey, { email }: Identity): Promise<void> {
  const who = email === null ? null : await findWho(own, tx, key.tenant_id, email);
  if (who === null || who.member_id === null) throw accessEnded();
}

/** A member who may enter. Throws NotLetIn. */
export async function requireOpen(own: Own, tx: SystemTx, tenantId: string, memberId: string): Promise<MembershipRow> {
  const member = await own.tenants.findMembership(tenantId, memberId, tx);
  if (member?.member_status !== "active") throw accessEnded();
  if (member.tenant_status === "suspended")
    throw new NotLetIn("suspended", `The workspace ${member.tenant_name} is suspended. Ask support.`);
  return member;
}

/** Throws NotLetIn where the provider says roles and none for this member; what owners are is said here alone. */
export function requireRole({ role_claim }: store.ConnectorRow, member: MembershipRow, role: GivenRole | null): void {
  if (role_claim !== null && member.role !== "org_owner" && role === null) throw noRole();
}

/** For whom the provider says no role that there is here. */
export const noRole = () =>
  new NotLetIn("role", "Your provider names no group of yours that has a role here. Ask an owner of the workspace.");

/** That somebody new at this provider may come in, and as whom. Throws NotLetIn, `sso_proof_missing`. */
async function judgeArrival(
  own: Own,
  tx: SystemTx,
  key: store.LinkKey,
  identity: Identity,
  role: GivenRole | null,
  { proof, isAnew, isClosed }: Known,
): Promise<Arrival> {
  const email = requireEmail(identity);
  if ((await findOwnerOf(tx, domainOf(email))) !== key.tenant_id)
    throw new NotLetIn(
      "domain",
      `Addresses at ${domainOf(email)} do not belong to this workspace. Sign in with one that does.`,
    );
  const who = await findWho(own, tx, key.tenant_id, email);
  const wasRemoved = await requireWelcome(tx, key, email, who);
  if (isAnew && who.how !== "has") throw otherPerson(email, who);
  const { account } = who;
  const isLetGo = isAnew && (await isGivenUp(own, tx, who));
  if (account !== null && !isLetGo)
    await requireSame(own, tx, key, { ...who, account, email, wasRemoved }, role, proof);
  else if (role === null) throw noRole();
  else if (isClosed) throw new NotLetIn("closed", "This panel takes no new accounts. Ask whoever runs it.");
  return { email, who, wasRemoved, isLetGo };
}

/**
 * Throws NotLetIn for whom somebody removed, by their account or anything else that they were known by, and for a newcomer with an
 * address of somebody whose access ended: they would come in beside a membership that they lost. True for a member whom somebody let in
 * since they removed whoever was known so: they have to show that they are one and the same.
 */
async function requireWelcome(
  tx: SystemTx,
  key: store.LinkKey,
  email: string,
  { account, member_id, isEnded }: Who,
): Promise<boolean> {
  const marks = [markOf(email), markOfSubject(key)];
  const suspect = { account_id: account?.id ?? null, member_id, marks };
  const removal = await judgeRemoval(narrow(tx, key.tenant_id), suspect);
  if (removal === "removed" || (member_id === null && isEnded)) throw accessEnded();
  return removal === "over";
}

/**
 * Whether an account gives up an address that it never proved, for somebody whom the owner of the domain names. One that is in the
 * workspace keeps it: the people there know who it is.
 */
async function isGivenUp(own: Own, tx: SystemTx, { account, member_id }: Who): Promise<boolean> {
  return account !== null && member_id === null && own.tenants.maySpareAddress(tx, account.id);
}

function requireEmail({ email, email_verified }: Identity): string {
  if (email === null)
    throw new NotLetIn("email_missing", "Your provider does not tell your mail address. Ask whoever runs it.");
  if (!email_verified)
    throw new NotLetIn(
      "email_unverified",
      "Your provider does not say that your mail address is verified. Ask whoever runs it.",
    );
  return email;
}

/** For whom cannot be the member that the address leads to, or has no way to say so. */
const otherPerson = (email: string, { how }: Who): NotLetIn =>
  new NotLetIn(
    "other_person",
    how === "has"
      ? "This address belongs to somebody else at your provider. Ask whoever runs it to give each person one of their own."
      : [
          `${email} is or was an address of a member of this workspace.`,
          "If that is you, sign in as you did before, or give your account a passphrase by mail and begin again.",
          "If not, ask an owner or admin to invite you by this address.",
        ].join(" "),
  );

/** Whoever has an address and an account, and whether somebody removed whoever was known so and let them in since. */
type Somebody = Who & { account: AccountRow; email: string; wasRemoved: boolean };

/**
 * That somebody is whoever has the account that was there before. Whoever has the say about a provider could name anybody there, so the
 * account has to agree once: by its passphrase, or signed in. One that this workspace made, and that is nowhere else, is its own.
 */
async function requireSame(
  own: Own,
  tx: SystemTx,
  key: store.LinkKey,
  who: Somebody,
  role: GivenRole | null,
  proof: AccountProof | null,
): Promise<void> {
  const { account, member_id, how, email, wasRemoved } = who;
  if (member_id !== null && (await store.isLinked(tx, key, member_id))) throw otherPerson(email, who);
  const memberships = await own.tenants.listMemberships(account.id, tx);
  const [only] = memberships;
  const isOwn = !wasRemoved && isOurWord(who) && memberships.length === 1 && only?.role !== "org_owner";
  const isProven = proof?.account_id === account.id && (await own.accounts.stillHolds(tx, proof));
  // Who has no passphrase cannot give one: it takes a letter to the address that the account has.
  if (!isOwn && !isProven && how === "had" && account.password_hash === NO_PASSWORD) throw otherPerson(email, who);
  if (!isOwn && !isProven) throw fail("sso_proof_missing");
  if (member_id !== null) return;
  if (role === null) throw noRole();
  if (memberships.length >= MAX_WORKSPACES)
    throw new NotLetIn("too_many", `This account is in ${MAX_WORKSPACES} workspaces. Leave one of them first.`);
}
