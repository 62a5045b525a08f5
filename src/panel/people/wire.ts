/** The people of a panel: accounts, workspaces, who is in them, and how they sign in. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import type { PanelFeature } from "../event-meaning.ts";
import {
  type AccountCommandNeeds,
  accountLinksFeature,
  createAccountCommands,
  createAccountLinks,
} from "./account-links/index.ts";
import type { Needs as AccountLinkNeeds } from "./account-links/needs.ts";
import { accountsFeature, createAccounts } from "./accounts/index.ts";
import type { Needs as AccountNeeds } from "./accounts/needs.ts";
import {
  createRegistration,
  createRegistrationCommand,
  type RegistrationCommandNeeds,
  registrationFeature,
} from "./registration/index.ts";
import type { Needs as RegistrationNeeds } from "./registration/needs.ts";
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
  registrationFeature,
  accountLinksFeature,
  accountsFeature,
  workspacesFeature,
  teamFeature,
] as const satisfies readonly PanelFeature[];

/** The verbs that the area gives the command line. */
export const peopleCommands = (
  data: DataAccess<TenantCommandNeeds & RegistrationCommandNeeds & AccountCommandNeeds>,
): readonly Command[] => [
  ...createTenantCommands(data),
  createRegistrationCommand(data),
  ...createAccountCommands(data),
];

/** What the area makes itself. */
type Made = "accountLinks" | "registration" | "tenants" | "sessions" | "workspaceSettings";

type Needs = Omit<
  AccountLinkNeeds &
    AccountNeeds &
    RegistrationNeeds &
    SessionNeeds &
    TeamNeeds &
    TenantNeeds &
    WorkspaceNeeds &
    WorkspaceSettingsNeeds,
  Made
>;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePeople(base: Needs) {
  const tenants = createTenants(base);
  const sessions = createSessions({ ...base, tenants });
  const workspaceSettings = createWorkspaceSettings(base);
  const registration = createRegistration(base);
  const accountLinks = createAccountLinks({ ...base, tenants, sessions });
  const accounts = createAccounts({ ...base, tenants, sessions, workspaceSettings, registration, accountLinks });
  const workspaces = createWorkspaces({ ...base, tenants, sessions, registration });
  const team = createTeam({ ...base, sessions });
  const parts = [
    ...[tenants, sessions, workspaceSettings, registration, accountLinks, accounts, workspaces, team],
  ] satisfies readonly Part[];
  return { tenants, sessions, registration, accountLinks, parts };
}
