import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { ResetEnd } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { listOwners, type ToldReset } from "./store.ts";

/** The kind of letters that tell of resets. */
const KIND = "team.factor_reset";

type Told = "begun" | ResetEnd;

const isTold = (text: unknown): text is Told =>
  text === "begun" || text === "done" || text === "stopped" || text === "void";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A moment as letters say it, which know no time zone of their reader. */
const said = (iso: string): string => `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;

/** Tells the member and every owner by mail, in the transaction of what is told; without mail the lists of the bell alone do. */
export async function tellByMail(
  { mail }: Pick<Needs, "mail">,
  tx: SystemTx,
  told: Told,
  { tenant_id, workspace, asker, email, display_name, effective_at }: ToldReset,
): Promise<void> {
  if (mail.missing().length > 0) return;
  const at = toIso(effective_at);
  const facts = { told, workspace, asker: asker ?? "", member: display_name, email, at };
  const owners = await listOwners(tx, tenant_id);
  const others = owners.filter((owner) => owner.email !== email);
  for (const to of [email, ...others.map((owner) => owner.email)])
    await mail.queue(tx, { kind: KIND, to, facts: { ...facts, to }, lifetimeMs: days(2) });
}

function toMember(
  told: Told,
  asker: string,
  workspace: string,
  at: string,
): Pick<LetterText, "subject" | "paragraphs"> {
  const paragraphs = {
    begun: [
      `${asker} of ${workspace} has asked to take every second factor off your account. It happens on ${said(at)}; from then on your passphrase alone opens it, until you add one again.`,
      "If you did not ask for that, sign in and stop it under Security.",
    ],
    done: ["every second factor was taken off your account, and all its sessions have ended. Add one again now."],
    stopped: ["the reset of your second factors was stopped. They are as they were."],
    void: ["the reset of your second factors was dropped, because it was not allowed any more. They are as they were."],
  }[told];
  const subject = {
    begun: "Your second factors are about to be removed",
    done: "Your second factors were removed",
    stopped: "Your second factors stay",
    void: "Your second factors stay",
  }[told];
  return { subject, paragraphs };
}

function toOwner(told: Told, asker: string, member: string, at: string): Pick<LetterText, "subject" | "paragraphs"> {
  const paragraphs = {
    begun: [
      `${asker} has asked to take every second factor off the account of ${member}. It happens on ${said(at)}.`,
      "Until then every owner and admin can stop it on the page of the team.",
    ],
    done: [
      `every second factor was taken off the account of ${member}. The passphrase alone opens it until they add one.`,
    ],
    stopped: [`the reset of the second factors of ${member} was stopped.`],
    void: [`the reset of the second factors of ${member} was dropped, because it was not allowed any more.`],
  }[told];
  const subject = {
    begun: `Second factors of ${member} are about to be removed`,
    done: `Second factors of ${member} were removed`,
    stopped: `Second factors of ${member} stay`,
    void: `Second factors of ${member} stay`,
  }[told];
  return { subject, paragraphs };
}

/** Writes these letters. */
export const resetLetters = ({ config }: Pick<Needs, "config">) => ({
  kind: KIND,
  async write(address: string, facts: Record<string, unknown>): Promise<LetterText | null> {
    const { told } = facts;
    if (!isTold(told)) return null;
    const [workspace, asker, member, at] = [facts["workspace"], facts["asker"], facts["member"], facts["at"]].map(text);
    const who = asker === "" ? "Somebody" : (asker ?? "");
    const isMember = address === text(facts["email"]);
    const { subject, paragraphs } = isMember
      ? toMember(told, who, workspace ?? "", at ?? "")
      : toOwner(told, who, member ?? "", at ?? "");
    return {
      subject: `${workspace}: ${subject}`,
      greeting: isMember ? `Hello ${member},` : "Hello,",
      paragraphs,
      action: isMember
        ? { label: "Look at your account", url: `${config.public_url}/security` }
        : { label: "Look at the team", url: `${config.public_url}/team` },
      footer: "Letters about the safety of accounts cannot be switched off.",
    };
  },
});
