import type { SearchSource } from "../../base.ts";
import { listWorkspaces } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** Finds workspaces of the caller by a part of their name. */
export const searchWorkspaces = (needs: Pick<Needs, "lists" | "system" | "tenants">): SearchSource => ({
  source: "workspaces",
  async find(actor, text, limit) {
    const { workspaces } = await listWorkspaces(needs, actor);
    const wanted = text.toLowerCase();
    return workspaces
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .slice(0, limit)
      .map(({ id, name, plan, current }) => ({
        id,
        title: name,
        snippet: current ? `${plan} plan, you are here` : `${plan} plan`,
        path: "/",
        icon: "layers",
      }));
  },
});
