import { sha256Hex } from "../../../lib/digest.ts";
import { days } from "../../../lib/duration.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { linkOf } from "./link.ts";
import type { Needs } from "./needs.ts";
import { findOfferById, type InvitationRow, replaceLetter } from "./store.ts";

/** The kind of letters that invite. */
const KIND = "team.invitation";

/** Has the letter of an invitation sent, in the transaction that makes it. */
export function queueLetter(
  { mail }: Pick<Needs, "mail">,
  tx: SystemTx,
  tenantId: string,
  { id, email }: Pick<InvitationRow, "id" | "email">,
): Promise<void> {
  return mail.queue(tx, { kind: KIND, to: email, facts: { tenant_id: tenantId, id }, lifetimeMs: days(7) });
}

/** Writes these letters. Each has a token of its own, made as it is written, so that none stands in the queue. */
export const invitationLetters = (needs: Needs) => ({
  kind: KIND,
  async write(_address: string, { tenant_id, id }: Record<string, unknown>): Promise<LetterText | null> {
    if (typeof tenant_id !== "string" || typeof id !== "string") return null;
    const token = needs.ids.token(32);
    const offer = await needs.system.tx(async (tx) => {
      const found = await findOfferById(tx, tenant_id, id, needs.clock.now());
      if (found) await replaceLetter(tx, tenant_id, id, sha256Hex(token));
      return found;
    });
    if (!offer) return null;
    const who = offer.inviter ?? "Somebody";
    return {
      subject: `${who} invites you to ${offer.workspace}`,
      greeting: "Hello,",
      paragraphs: [
        `${who} invites you to work in ${offer.workspace} on Orrery.`,
        "The link is good once, for seven days. Whoever has an account with this address joins with it; everybody else makes one there.",
      ],
      action: { label: "Join", url: linkOf(needs, token) },
      footer: `Sent by the panel at ${needs.config.public_url}. If you did not expect it, do nothing: nobody joins without the link.`,
    };
  },
});
