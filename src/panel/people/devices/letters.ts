import { days } from "../../../lib/duration.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { greet } from "../../languages.ts";
import type { Needs } from "./needs.ts";
import { type Arrival, DEVICE_WORDS } from "./words.ts";

/** The kind of letters that tell of a sign-in on a new device. */
const KIND = "account.new_device";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Queues one, in the transaction of the sign-in; where the panel sends no mail the list of the bell alone tells of it. */
export async function tellByMail(
  { mail, tenants }: Pick<Needs, "mail" | "tenants">,
  tx: SystemTx,
  accountId: string,
  { program, system, at, ip }: Arrival,
): Promise<void> {
  const account = mail.missing().length > 0 ? null : await tenants.findAccountById(accountId, tx);
  const facts = { program, system, at: String(at), ip };
  if (account) await mail.queue(tx, { kind: KIND, tenantId: null, to: account.email, facts, lifetimeMs: days(3) });
}

/** Writes these letters. */
export const deviceLetters = ({ tenants, config }: Pick<Needs, "tenants" | "config">) => ({
  kind: KIND,
  async write(address: string, { program, system, at, ip }: Record<string, unknown>): Promise<LetterText | null> {
    const account = await tenants.findAccount(address);
    if (!account) return null;
    const { language, workspace } = await tenants.findReader(address, null);
    const arrival = { program: text(program), system: text(system), at: Number(at), ip: text(ip) };
    const { subject, paragraphs, label, footer } = DEVICE_WORDS[language](arrival);
    return {
      ...{ language, workspace, subject, paragraphs, footer },
      greeting: greet(language, account.display_name),
      action: { label, url: `${config.public_url}/profile` },
    };
  },
});
