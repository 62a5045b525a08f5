import { may } from "../../actor.ts";
import type { SearchSource } from "../../base.ts";
import { findByText } from "./store.ts";

/** Finds incidents by a part of their title or region: those that are open first, then the latest. */
export const searchIncidents: SearchSource = {
  source: "incidents",
  async find(actor, text, limit) {
    if (!may(actor, "fleet:read")) return [];
    const rows = await findByText(actor.db, text, limit);
    return rows.map(({ id, title, region, severity, resolved_at }) => ({
      id,
      title,
      snippet: [resolved_at === null ? `open, ${severity}` : "over", ...(region === "" ? [] : [region])].join(", "),
      path: `/incidents/${id}`,
      icon: "zap",
    }));
  },
};
