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
  type AfterRestoreCommandNeeds,
  afterRestoreFeature,
  createAfterRestore,
  createAfterRestoreCommand,
} from "./after-restore/index.ts";
import type { Needs as AfterRestoreNeeds } from "./after-restore/needs.ts";
import { chatChannelsFeature, createChatChannels } from "./chat-channels/index.ts";
import type { Needs as ChatChannelNeeds } from "./chat-channels/needs.ts";
import { createDevices, devicesFeature } from "./devices/index.ts";
import type { Needs as DeviceNeeds } from "./devices/needs.ts";
import { createEmailProofs, emailProofsFeature } from "./email-proofs/index.ts";
import type { Needs as EmailProofNeeds } from "./email-proofs/needs.ts";
import { createFactorResets, factorResetsFeature } from "./factor-resets/index.ts";
import type { Needs as FactorResetNeeds } from "./factor-resets/needs.ts";
import { createFactorCommand, createFactors, type FactorCommandNeeds, factorsFeature } from "./factors/index.ts";
import type { Needs as FactorNeeds } from "./factors/needs.ts";
import { createInvitations, invitationsFeature } from "./invitations/index.ts";
import type { Needs as InvitationNeeds } from "./invitations/needs.ts";
import { createNotifications, notificationsFeature } from "./notifications/index.ts";
import type { Needs as NotificationNeeds } from "./notifications/needs.ts";
import {
  createRegistration,
  createRegistrationCommand,
  type RegistrationCommandNeeds,
  registrationFeature,
} from "./registration/index.ts";
import type { Needs as RegistrationNeeds } from "./registration/needs.ts";
import { createScim, scimFeature } from "./scim/index.ts";
import type { Needs as ScimNeeds } from "./scim/needs.ts";
import { createSessions, sessionsFeature } from "./sessions/index.ts";
import type { Needs as SessionNeeds } from "./sessions/needs.ts";
import { createSignIns, signInsFeature } from "./sign-ins/index.ts";
import type { Needs as SignInNeeds } from "./sign-ins/needs.ts";
import { createSso, ssoFeature } from "./sso/index.ts";
import type { Needs as SsoNeeds } from "./sso/needs.ts";
import { createStaff, staffFeature } from "./staff/index.ts";
import type { Needs as StaffNeeds } from "./staff/needs.ts";
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
  signInsFeature,
  workspaceSettingsFeature,
  registrationFeature,
  devicesFeature,
  factorsFeature,
  accountLinksFeature,
  factorResetsFeature,
  emailProofsFeature,
  accountsFeature,
  workspacesFeature,
  teamFeature,
  invitationsFeature,
  ssoFeature,
  scimFeature,
  staffFeature,
  notificationsFeature,
  chatChannelsFeature,
  afterRestoreFeature,
] as const satisfies readonly PanelFeature[];

/** The verbs that the area gives the command line; `alone` opens the data of a panel that does not run. */
export const peopleCommands = (
  data: DataAccess<TenantCommandNeeds & RegistrationCommandNeeds & AccountCommandNeeds & FactorCommandNeeds>,
  alone: DataAccess<AfterRestoreCommandNeeds>,
): readonly Command[] => [
  ...createTenantCommands(data),
  createRegistrationCommand(data),
  ...createAccountCommands(data),
  createFactorCommand(data),
  createAfterRestoreCommand(alone),
];

/** What the area makes itself. */
type Made =
  | "accounts"
  | "accountLinks"
  | "devices"
  | "emailProofs"
  | "factors"
  | "registration"
  | "tenants"
  | "sessions"
  | "sso"
  | "workspaceSettings";

type Needs = Omit<
  AccountLinkNeeds &
    AccountNeeds &
    AfterRestoreNeeds &
    ChatChannelNeeds &
    DeviceNeeds &
    EmailProofNeeds &
    FactorNeeds &
    FactorResetNeeds &
    InvitationNeeds &
    NotificationNeeds &
    RegistrationNeeds &
    ScimNeeds &
    SessionNeeds &
    SignInNeeds &
    SsoNeeds &
    StaffNeeds &
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
  const signIns = createSignIns({ ...base, sessions });
  const workspaceSettings = createWorkspaceSettings(base);
  const registration = createRegistration(base);
  const devices = createDevices({ ...base, tenants });
  const factors = createFactors({ ...base, tenants, sessions, devices });
  const accountLinks = createAccountLinks({ ...base, tenants, sessions, factors });
  const factorResets = createFactorResets({ ...base, tenants, factors });
  const emailProofs = createEmailProofs({ ...base, tenants, sessions, accountLinks, factors });
  const accounts = createAccounts({
    ...{ ...base, tenants, sessions, workspaceSettings, registration, accountLinks, devices, emailProofs, factors },
  });
  const workspaces = createWorkspaces({ ...base, tenants, sessions, registration, factors });
  const team = createTeam({ ...base, sessions });
  const invitations = createInvitations({ ...base, tenants, registration, accounts, factors });
  const sso = createSso({ ...base, tenants, sessions, registration, accounts, devices, factors });
  const scim = createScim({ ...base, tenants, sessions, registration, factors, sso });
  const staff = createStaff({ ...base, tenants, sessions });
  const notifications = createNotifications({ ...base, tenants });
  const chatChannels = createChatChannels({ ...base, tenants });
  const afterRestore = createAfterRestore(base);
  const parts = [
    ...[tenants, sessions, signIns, workspaceSettings, registration, devices, factors, accountLinks, factorResets],
    ...[emailProofs, accounts, workspaces, team, invitations, sso, scim, staff, notifications, chatChannels],
    afterRestore,
  ] satisfies readonly Part[];
  return { tenants, sessions, registration, accountLinks, factors, afterRestore, parts };
}
