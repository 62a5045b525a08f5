import type { SearchSource } from "../../base.ts";
import { listOwn } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** Finds workspaces of the caller by a part of their name. */
export const searchWorkspaces = (needs: Pick<Needs, "tenants">): SearchSource => ({
  source: "workspaces",
  async find(actor, text, limit) {
    const workspaces = await listOwn(needs, actor);
    const wanted = text.toLowerCase();
    return workspaces
      .filter(({ tenant_name }) => tenant_name.toLowerCase().includes(wanted))
      .slice(0, limit)
      .map(({ tenant_id, tenant_name, plan }) => ({
        id: tenant_id,
        title: tenant_name,
        snippet: tenant_id === actor.tenant_id ? `${plan} plan, you are here` : `${plan} plan`,
        path: "/",
        icon: "layers",
      }));
  },
});
