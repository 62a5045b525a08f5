import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import { unlinked } from "../../../lib/unlinked.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { greet } from "../../languages.ts";
import type { Needs } from "./needs.ts";
import { listOwners, type ToldReset } from "./store.ts";
import { RESET_WORDS, type Told } from "./words.ts";

/** The kind of letters that tell of resets. */
const KIND = "team.factor_reset";

const isTold = (text: unknown): text is Told =>
  text === "begun" || text === "done" || text === "stopped" || text === "void";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Tells the member and every owner by mail, in the transaction of what is told; without mail the lists of the bell alone do. */
export async function tellByMail(
  { mail }: Pick<Needs, "mail">,
  tx: SystemTx,
  told: Told,
  { tenant_id, workspace, asker, email, display_name, effective_at }: ToldReset,
): Promise<void> {
  if (mail.missing().length > 0) return;
  const at = toIso(effective_at);
  const facts = { told, tenant_id, workspace, asker: asker ?? "", member: display_name, email, at };
  const owners = await listOwners(tx, tenant_id);
  const others = owners.filter((owner) => owner.email !== email);
  for (const to of [email, ...others.map((owner) => owner.email)])
    await mail.queue(tx, { kind: KIND, tenantId: tenant_id, to, facts: { ...facts, to }, lifetimeMs: days(2) });
}

/** Writes these letters. */
export const resetLetters = ({ config, tenants }: Pick<Needs, "config" | "tenants">) => ({
  kind: KIND,
  async write(address: string, facts: Record<string, unknown>): Promise<LetterText | null> {
    const { told } = facts;
    if (!isTold(told)) return null;
    const nameOf = (who: "asker" | "workspace" | "member") => unlinked(text(facts[who]));
    const about = {
      ...{ asker: nameOf("asker"), workspace: nameOf("workspace"), member: nameOf("member") },
      at: Date.parse(text(facts["at"])),
    };
    const isMember = address === text(facts["email"]);
    const { language } = await tenants.findReader(address, text(facts["tenant_id"]));
    const { toMember, toOwner, footer } = RESET_WORDS[language](about);
    const { subject, paragraphs, label } = isMember ? toMember : toOwner;
    return {
      ...{ language, workspace: about.workspace, subject: `${about.workspace}: ${subject[told]}` },
      greeting: greet(language, isMember ? about.member : ""),
      paragraphs: paragraphs[told],
      action: { label, url: `${config.public_url}/${isMember ? "security" : "team"}` },
      footer,
    };
  },
});
