import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import type { Mode } from "../tenants/contract.ts";
import { lockWorkspace } from "../tenants/index.ts";
import {
  fail,
  type ModeState,
  type ShownSettings,
  type WorkspaceSettings,
  type WorkspaceSettingsChange,
} from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findMode, findSettings, hasOwnerWithFactor, updateMode, updateSettings } from "./store.ts";

type Deps = Pick<Needs, "accessEnds" | "bus">;

/** The workspace's settings. */
export async function getSettings(db: Parameters<typeof findSettings>[0]): Promise<WorkspaceSettings> {
  const settings = await findSettings(db);
  if (!settings) throw kernelFail("not_found");
  return settings;
}

/** The settings as the API shows them. */
export async function show(
  { lists, config }: Pick<Needs, "lists" | "config">,
  tenantId: string,
  settings: WorkspaceSettings,
): Promise<ShownSettings> {
  const platform = { agent_auto_update: config.agent_auto_update };
  const asked = await Promise.all(
    lists.hindrances.all().map(async ({ rule, reason }) => ({ rule, reason: await reason(tenantId) })),
  );
  const hindered = asked.flatMap(({ rule, reason }) => (reason === null ? [] : [{ rule, reason }]));
  const inForce = { ...settings, agent_auto_update: settings.agent_auto_update ?? platform.agent_auto_update };
  const on = Object.entries(inForce).filter(([, value]) => value);
  const without_effect = hindered.map(({ rule }) => rule).filter((rule) => on.some(([name]) => name === rule));
  return { ...settings, without_effect, hindered, platform };
}

/** Changes some of the settings and gives all of them. Throws `owner_factor_needed`. */
export function putSettings(
  deps: Deps,
  actor: Actor,
  ip: string,
  change: WorkspaceSettingsChange,
): Promise<WorkspaceSettings> {
  return actor.db.tx(async (tx) => {
    // Of two who change different ones at once neither takes back what the other chose.
    await lockWorkspace(tx);
    const before = await getSettings(tx);
    const settings = { ...before, ...change };
    if (settings.require_2fa && !before.require_2fa && !(await hasOwnerWithFactor(tx)))
      throw fail("owner_factor_needed");
    await updateSettings(tx, settings);
    if (settings.require_2fa && !before.require_2fa) deps.accessEnds.ended(tx, actor.tenant_id);
    await deps.bus.emit(tx, "workspace.settings", { by: byMember(actor, ip), change });
    return settings;
  });
}

/** What the workspace is for, and whether somebody chose that. */
export async function getMode(db: Parameters<typeof findMode>[0]): Promise<ModeState> {
  const mode = await findMode(db);
  if (!mode) throw kernelFail("not_found");
  return mode;
}

/** Chooses what the workspace is for. */
export function putMode(deps: Deps, actor: Actor, ip: string, mode: Mode): Promise<ModeState> {
  return actor.db.tx(async (tx) => {
    const { mode: previous } = await getMode(tx);
    await updateMode(tx, mode);
    await deps.bus.emit(tx, "workspace.mode", { by: byMember(actor, ip), mode, previous });
    return { mode, chosen: true };
  });
}
