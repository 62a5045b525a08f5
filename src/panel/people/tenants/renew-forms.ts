import { readAddress } from "../../addresses.ts";
import { updateEmail } from "./address-store.ts";
import type { Needs } from "./needs.ts";
import { listOldForms } from "./store.ts";

/**
 * Brings addresses that were kept before there was one form of them into it, so that nobody registers beside them. Of two that are one
 * now the other keeps its form, by which its owner signs in as before.
 */
export async function renewForms({ system, log, clock }: Pick<Needs, "system" | "log" | "clock">): Promise<void> {
  for (const { id, email } of await listOldForms(system)) {
    const form = readAddress(email);
    if (form === null || form === email) continue;
    if (await system.tx((tx) => updateEmail(tx, id, form, clock.now()))) continue;
    log.warn("an account has an address that another one has in another form", { account_id: id });
  }
}
