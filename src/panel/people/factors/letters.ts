import { days } from "../../../lib/duration.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { greet } from "../../languages.ts";
import { readWorkspaces, sayWorkspaces } from "./claim-words.ts";
import type { Needs } from "./needs.ts";
import { CHANGES, type Change, FACTOR_WORDS } from "./words.ts";

/** The kind of letters that tell somebody what became of the ways into their account. */
const KIND = "account.factors";

const isChange = (text: unknown): text is Change => CHANGES.some((change) => change === text);

/**
 * Queues one, in the transaction of what it tells of; where the panel sends no mail the audit log alone knows. `name` is that of a key,
 * empty for the app with codes; of a recovery code it says how many are left.
 * Of a claim it is empty, and `workspaces` are those that the account was in (`keepWorkspaces`).
 */
export async function tellOwner(
  { mail, tenants }: Pick<Needs, "mail" | "tenants">,
  tx: SystemTx,
  accountId: string,
  facts: { change: Change; name: string; ip: string; workspaces?: string },
): Promise<void> {
  const account = mail.missing().length > 0 ? null : await tenants.findAccountById(accountId, tx);
  if (account) await mail.queue(tx, { kind: KIND, tenantId: null, to: account.email, facts, lifetimeMs: days(3) });
}

/** Writes these letters. */
export const factorLetters = ({ tenants, config }: Pick<Needs, "tenants" | "config">) => ({
  kind: KIND,
  async write(
    address: string,
    { change, name, ip, workspaces: told }: Record<string, unknown>,
  ): Promise<LetterText | null> {
    const account = await tenants.findAccount(address);
    if (!account || !isChange(change)) return null;
    const { language, workspace } = await tenants.findReader(address, null);
    const about = { key: typeof name === "string" ? name : "", left: Number.parseInt(String(name), 10) || 0 };
    const { subject, body, label, from, warning } = FACTOR_WORDS[language](about, String(ip));
    return {
      ...{ language, workspace, subject: subject[change] },
      greeting: greet(language, account.display_name),
      paragraphs: [body[change], ...sayWorkspaces(language, readWorkspaces(told))],
      action: { label, url: `${config.public_url}/security` },
      footer: ip ? `${from} ${warning}` : warning,
    };
  },
});
