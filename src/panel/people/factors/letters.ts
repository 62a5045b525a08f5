import { days } from "../../../lib/duration.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";

/** The kind of letters that tell somebody what became of the ways into their account. */
const KIND = "account.factors";

/** What happened, as these letters tell it. */
type Change = "added" | "removed" | "reset" | "recovery_code";

const SUBJECT: Record<Change, string> = {
  added: "A second factor was added to your Orrery account",
  removed: "A second factor was removed from your Orrery account",
  reset: "The second factors of your Orrery account were removed",
  recovery_code: "A recovery code of your Orrery account was used",
};

const said = (change: Change, name: string): string =>
  ({
    added: `${name} can finish a sign-in to your account from now on.`,
    removed: `${name} no longer opens your account.`,
    reset:
      "whoever runs this panel took every second factor off your account. Add one again under Security of your account.",
    recovery_code: `somebody signed in with your passphrase and a recovery code. ${name}.`,
  })[change];

const isChange = (text: unknown): text is Change => typeof text === "string" && Object.hasOwn(SUBJECT, text);

/** Queues one, in the transaction of what it tells of; where the panel sends no mail the audit log alone knows. */
export async function tellOwner(
  { mail, tenants }: Pick<Needs, "mail" | "tenants">,
  tx: SystemTx,
  accountId: string,
  facts: { change: Change; name: string; ip: string },
): Promise<void> {
  const account = mail.missing().length > 0 ? null : await tenants.findAccountById(accountId, tx);
  if (account) await mail.queue(tx, { kind: KIND, to: account.email, facts, lifetimeMs: days(3) });
}

/** Writes these letters. */
export const factorLetters = ({ tenants, config }: Pick<Needs, "tenants" | "config">) => ({
  kind: KIND,
  async write(address: string, { change, name, ip }: Record<string, unknown>): Promise<LetterText | null> {
    const account = await tenants.findAccount(address);
    if (!account || !isChange(change)) return null;
    return {
      subject: SUBJECT[change],
      greeting: `Hello ${account.display_name},`,
      paragraphs: [said(change, typeof name === "string" ? name : "")],
      action: { label: "Look at your account", url: `${config.public_url}/security` },
      footer: `${ip ? `It came from ${String(ip)}. ` : ""}If it was not you, choose a new passphrase at once and tell whoever runs this panel.`,
    };
  },
});
