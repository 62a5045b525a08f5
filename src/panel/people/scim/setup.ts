import type { Actor } from "../../actor.ts";
import { includesSso, REQUIRED_PLAN } from "../sso/index.ts";
import { type DirectoryGroup, type DirectorySetup, GROUPS_MAX } from "./contract.ts";
import * as groups from "./group-store.ts";
import type { Needs } from "./needs.ts";
import { listTokens } from "./token-store.ts";
import { presentToken } from "./tokens.ts";
import { countKept } from "./user-store.ts";

/** How a workspace and its directory stand. */
export async function readSetup(needs: Needs, actor: Actor, base_url: string): Promise<DirectorySetup> {
  const { users, off } = await countKept(actor.db);
  const counts = await groups.countByGroup(actor.db);
  const rows = await groups.listGroups(actor.db, GROUPS_MAX);
  const plan = await needs.tenants.findPlan(actor.tenant_id);
  return {
    base_url,
    tokens: (await listTokens(actor.db)).map(presentToken),
    groups: rows.map(
      ({ id, display_name, role }): DirectoryGroup => ({ id, name: display_name, role, members: counts.get(id) ?? 0 }),
    ),
    ...{ users, users_off: off },
    domains: await needs.sso.listDomains(actor.db),
    ...(includesSso(plan) ? {} : { required_plan: REQUIRED_PLAN }),
  };
}
