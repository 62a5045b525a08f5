import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import type { Language } from "../../languages.ts";
import { requireWholeAccount } from "../sessions/index.ts";
import type { LanguageState } from "./contract.ts";
import type { Own } from "./needs.ts";

/** What letters to the caller are written in. Throws `reauth_required`. */
export async function readLanguage({ tenants }: Pick<Own, "tenants">, actor: Actor): Promise<LanguageState> {
  requireWholeAccount(actor);
  const account = await tenants.findAccountById(actor.account_id);
  if (!account) throw kernelFail("unauthorized");
  return tenants.findLanguages(account.email, actor.tenant_id);
}

/** Chooses that for all workspaces of the caller; null leaves it to each of them. Throws `reauth_required`. */
export async function chooseLanguage(
  own: Pick<Own, "system" | "bus" | "tenants">,
  actor: Actor,
  ip: string,
  language: Language | null,
): Promise<LanguageState> {
  requireWholeAccount(actor);
  await own.system.by(actor).tx(async (tx) => {
    await own.tenants.updateLanguage(tx, actor.account_id, language);
    await own.bus.emit(tx, "account.language_change", { by: byMember(actor, ip), language });
  });
  return readLanguage(own, actor);
}
