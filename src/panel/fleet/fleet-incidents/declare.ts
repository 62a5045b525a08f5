import type { PanelTx } from "../../base.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { findDeclared, insertIncident, reopen, resolve } from "./store.ts";
import { insertEntry } from "./timeline-store.ts";

type Deps = Pick<Needs, "clock" | "ids" | "meanings">;

/**
 * Opens the incident that an event declares, or says that it is over, in the transaction of the event. A thing has one incident of a
 * kind: what is wrong with it again while it is remembered opens the same one.
 */
export async function hearDeclaration(
  { clock, ids, meanings }: Deps,
  tx: PanelTx,
  name: string,
  event: PanelEvent,
): Promise<void> {
  const mark = meanings.get(name)?.incident?.(event);
  if (mark === undefined) return;
  if ("tenant_id" in tx) throw new Error("incidents are declared by what goes on by itself");
  const { tenant_id } = event.by;
  const { rule, subject } = mark;
  const known = await findDeclared(tx, tenant_id, rule, subject);
  const at = clock.now();
  const tell = (id: string, kind: "opened" | "reopened" | "over", text: string): Promise<void> =>
    insertEntry(tx, tenant_id, id, { ...{ id: ids.next("ent"), at, kind, nodes: 0 }, ...{ member_id: "", text } });

  if (mark.is === "over") {
    if (known === null || known.resolved_at !== null) return;
    await resolve(tx, tenant_id, known.id, at);
    return tell(known.id, "over", "");
  }
  if (known !== null) {
    if (known.resolved_at === null) return;
    await reopen(tx, tenant_id, known.id);
    return tell(known.id, "reopened", mark.text);
  }
  const id = ids.next("inc");
  const { severity, title, link } = mark;
  await insertIncident(tx, tenant_id, {
    ...{ id, rule, region: "", severity, title, nodes: 0, subject, link },
    ...{ since: at, opened_at: at },
  });
  await tell(id, "opened", mark.text);
}
