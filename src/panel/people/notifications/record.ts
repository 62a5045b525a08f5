import type { PanelTx } from "../../base.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import type { Own } from "./needs.ts";
import { insertNotification } from "./store.ts";

/** Writes down what people should know of an event, if anything, in the transaction of what it tells of. */
export async function recordNotice(
  { meanings, clock, ids, changes }: Pick<Own, "meanings" | "clock" | "ids" | "changes">,
  tx: PanelTx,
  name: string,
  event: PanelEvent,
): Promise<void> {
  const told = meanings.get(name)?.notice?.(event) ?? [];
  for (const { to, words, ...rest } of "kind" in told ? [told] : told) {
    const permission = "permission" in to ? to.permission : "";
    const member_id = "member_id" in to ? to.member_id : "";
    const { en, ...others } = words;
    const row = { ...rest, ...en, id: ids.next("ntf"), permission, member_id, created_at: clock.now() };
    await insertNotification(tx, event.by.tenant_id, { ...row, translations: JSON.stringify(others) });
    tx.afterCommit(() => changes.changed(event.by.tenant_id, member_id));
  }
}
