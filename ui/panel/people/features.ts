import type { Feature } from "../../shell/feature.ts";
import { accountsFeature } from "./accounts/feature.ts";
import { factorsFeature } from "./factors/feature.ts";
import { notificationsFeature } from "./notifications/feature.ts";
import { scimFeature } from "./scim/feature.ts";
import { ssoFeature } from "./sso/feature.ts";
import { staffFeature } from "./staff/feature.ts";
import { teamFeature } from "./team/feature.ts";
import { workspaceSettingsFeature } from "./workspace-settings/feature.ts";
import { workspacesFeature } from "./workspaces/feature.ts";

/** What the features of this area add to the page. */
export const peopleFeatures: Feature[] = [
  accountsFeature,
  factorsFeature,
  notificationsFeature,
  scimFeature,
  ssoFeature,
  staffFeature,
  teamFeature,
  workspaceSettingsFeature,
  workspacesFeature,
];
