import type { Measure } from "../../../kernel/prometheus.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import { countUnreachable } from "./outcome-store.ts";
import { findQueue } from "./store.ts";

/** How mail goes, over all workspaces; `counts` are since the start, by what became of a try. */
export async function measureMail(system: SystemDb, counts: Readonly<Record<string, number>>): Promise<Measure[]> {
  const { waiting } = await findQueue(system);
  const outcomes = Object.entries(counts);
  return [
    {
      name: "orrery_panel_mail_waiting",
      help: "Letters that are not sent yet",
      type: "gauge",
      figures: [{ value: waiting }],
    },
    {
      name: "orrery_panel_mail_unreachable_addresses",
      help: "Addresses that the mail server says nobody has",
      type: "gauge",
      figures: [{ value: await countUnreachable(system) }],
    },
    {
      name: "orrery_panel_mail_letters_total",
      help: "Tries to send a letter since the start, by what became of it",
      type: "counter",
      figures: outcomes.map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
  ];
}
