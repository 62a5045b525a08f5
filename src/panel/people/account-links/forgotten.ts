import { hours } from "../../../lib/duration.ts";
import { lookedFor } from "../../addresses.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { asVisitor } from "../../data/visitors.ts";
import { byVisitor } from "../../event-meaning.ts";
import { greet } from "../../languages.ts";
import { fail } from "./contract.ts";
import { addMailedLink } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { RESET } from "./words.ts";

/** The kind of letters that lead back into an account. */
const KIND = "account.reset";
/** Whoever asked has asked again by then. */
const LIFETIME_MS = hours(1);

/**
 * Has a link sent to the owner of an account. Whether there is one shows when the letter is written, later and elsewhere, so
 * neither the answer nor its time tells. Throws `mail_off`.
 */
export async function askForReset({ system, mail }: Needs, ip: string, email: string): Promise<void> {
  if (mail.missing().length > 0) throw fail("mail_off", { email });
  const letter = { kind: KIND, tenantId: null, to: lookedFor(email), facts: { ip }, lifetimeMs: LIFETIME_MS };
  await system.onBehalfOf(asVisitor(ip)).tx((tx) => mail.queue(tx, letter));
}

const addressOf = (ip: unknown): string => (typeof ip === "string" ? ip : "");

/** Writes these letters; each has a link of its own, and those that were sent before stay good until one is used. */
export const resetLetters = (needs: Needs) => ({
  kind: KIND,
  async write(address: string, { ip }: Record<string, unknown>): Promise<LetterText | null> {
    const account = await needs.tenants.findAccount(address);
    if (!account) return null;
    const from = addressOf(ip);
    const { url } = await needs.system.tx((tx) => addMailedLink(needs, tx, account.id));
    const { language, workspace } = await needs.tenants.findReader(address, null);
    const { subject, paragraphs, label, footer } = RESET[language](from);
    return {
      ...{ language, workspace, subject, paragraphs, footer },
      greeting: greet(language, account.display_name),
      action: { label, url },
    };
  },
  async sent(tx: SystemTx, address: string, { ip }: Record<string, unknown>): Promise<void> {
    const account = await needs.tenants.findAccount(address, tx);
    const [place] = account ? await needs.tenants.listMemberships(account.id, tx) : [];
    if (!place) return;
    const by = byVisitor(place.tenant_id, addressOf(ip));
    await needs.bus.emit(tx, "account.reset_mailed", { by, member_id: place.member_id });
  },
});
