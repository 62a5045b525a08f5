import { sha256Hex } from "../../../lib/digest.ts";
import { days } from "../../../lib/duration.ts";
import { unlinked } from "../../../lib/unlinked.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { greet, isLanguage, sayDay } from "../../languages.ts";
import { linkOf } from "./link.ts";
import type { Needs } from "./needs.ts";
import { findOfferById, type InvitationRow, replaceLetter } from "./store.ts";
import { INVITATION } from "./words.ts";

/** The kind of letters that invite. */
const KIND = "team.invitation";

/** Has the letter of an invitation sent, in the transaction that makes it. */
export function queueLetter(
  { mail }: Pick<Needs, "mail">,
  tx: SystemTx,
  tenantId: string,
  { id, email }: Pick<InvitationRow, "id" | "email">,
): Promise<void> {
  return mail.queue(tx, { kind: KIND, tenantId, to: email, facts: { tenant_id: tenantId, id }, lifetimeMs: days(7) });
}

/** Writes these letters. Each has a token of its own, made as it is written, so that none stands in the queue. */
export const invitationLetters = (needs: Needs) => ({
  kind: KIND,
  async write(address: string, { tenant_id, id }: Record<string, unknown>): Promise<LetterText | null> {
    if (typeof tenant_id !== "string" || typeof id !== "string") return null;
    const token = needs.ids.token(32);
    const offer = await needs.system.tx(async (tx) => {
      const found = await findOfferById(tx, tenant_id, id, needs.clock.now());
      if (found) await replaceLetter(tx, tenant_id, id, sha256Hex(token));
      return found;
    });
    if (!offer) return null;
    const wanted = isLanguage(offer.language) ? offer.language : null;
    const { language } = await needs.tenants.findReader(address, tenant_id, wanted);
    const { workspace, expires_at } = offer;
    const { subject, paragraphs, label, footer } = INVITATION[language]({
      ...{ who: unlinked(offer.inviter ?? ""), workspace: unlinked(workspace), origin: needs.config.public_url },
      until: sayDay(language, expires_at),
    });
    return {
      ...{ language, workspace, subject, paragraphs, footer },
      greeting: greet(language),
      action: { label, url: linkOf(needs.config.public_url, token) },
    };
  },
});
