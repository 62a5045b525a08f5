/** The people of a panel: accounts, workspaces, who is in them, and how they sign in. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { accountsFeature, createAccounts } from "./accounts/index.ts";
import type { Needs as AccountNeeds } from "./accounts/needs.ts";
import { createSessions, sessionsFeature } from "./sessions/index.ts";
import type { Needs as SessionNeeds } from "./sessions/needs.ts";
import { createTeam, teamFeature } from "./team/index.ts";
import type { Needs as TeamNeeds } from "./team/needs.ts";
import { createTenantCommands, createTenants, type TenantCommandNeeds, tenantsFeature } from "./tenants/index.ts";
import type { Needs as TenantNeeds } from "./tenants/needs.ts";
import { createWorkspaceSettings, workspaceSettingsFeature } from "./workspace-settings/index.ts";
import type { Needs as WorkspaceSettingsNeeds } from "./workspace-settings/needs.ts";
import { createWorkspaces, workspacesFeature } from "./workspaces/index.ts";
import type { Needs as WorkspaceNeeds } from "./workspaces/needs.ts";

/** The static halves of the area, in boot order. */
export const peopleFeatures = [
  tenantsFeature,
  sessionsFeature,
  workspaceSettingsFeature,
  accountsFeature,
  workspacesFeature,
  teamFeature,
] as const satisfies readonly PanelFeature[];

/** The verbs that the area gives the command line. */
export const peopleCommands = (data: DataAccess<TenantCommandNeeds>): readonly Command[] => createTenantCommands(data);

/** What the area makes itself. */
type Made = "tenants" | "sessions" | "workspaceSettings";

type Needs = Omit<
  AccountNeeds & SessionNeeds & TeamNeeds & TenantNeeds & WorkspaceNeeds & WorkspaceSettingsNeeds,
  Made
>;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePeople(base: Needs) {
  const tenants = createTenants(base);
  const sessions = createSessions({ ...base, tenants });
  const workspaceSettings = createWorkspaceSettings(base);
  const accounts = createAccounts({ ...base, tenants, sessions, workspaceSettings });
  const workspaces = createWorkspaces({ ...base, tenants, sessions });
  const team = createTeam(base);
  const parts = [tenants, sessions, workspaceSettings, accounts, workspaces, team] satisfies readonly Part[];
  return { tenants, sessions, parts };
}
