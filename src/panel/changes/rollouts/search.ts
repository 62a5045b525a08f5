import { may } from "../../actor.ts";
import type { SearchSource } from "../../base.ts";
import { findByText } from "./store.ts";

/** Finds rollouts by a part of their name or version: those under way first, then the latest. */
export const searchRollouts: SearchSource = {
  source: "rollouts",
  async find(actor, text, limit) {
    if (!may(actor, "fleet:read")) return [];
    const rows = await findByText(actor.db, text, limit);
    return rows.map(({ id, name, target_version, state }) => ({
      id,
      title: name,
      snippet: `${target_version}, ${state.replaceAll("_", " ")}`,
      path: `/rollouts/${id}`,
      icon: "flag",
    }));
  },
};
