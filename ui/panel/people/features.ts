import type { Feature } from "../../shell/feature.ts";
import { accountsFeature } from "./accounts/feature.ts";
import { teamFeature } from "./team/feature.ts";
import { workspaceSettingsFeature } from "./workspace-settings/feature.ts";
import { workspacesFeature } from "./workspaces/feature.ts";

/** What the features of this area add to the page. */
export const peopleFeatures: Feature[] = [accountsFeature, teamFeature, workspaceSettingsFeature, workspacesFeature];
