import type { Finder } from "../shell/finder.ts";
import { lookFinder } from "../shell/look-finder.ts";
import { ServerSearch } from "../shell/server-search.ts";
import { fleetFinder } from "./fleet/fleet/finder.ts";
import { fleetGroupsFinder } from "./fleet/fleet-groups/finder.ts";
import { fleetOverviewFinder } from "./fleet/fleet-overview/finder.ts";
import { nodeLogsFinder } from "./fleet/node-logs/finder.ts";
import { nodeTerminalsFinder } from "./fleet/node-terminals/finder.ts";
import { accountsFinder } from "./people/accounts/finder.ts";
import { chatFinder } from "./people/chat-channels/finder.ts";
import { factorsFinder } from "./people/factors/finder.ts";
import { invitationsFinder } from "./people/invitations/finder.ts";
import { scimFinder } from "./people/scim/finder.ts";
import { signInsFinder } from "./people/sign-ins/finder.ts";
import { ssoFinder } from "./people/sso/finder.ts";
import { supportFinder } from "./people/staff/finder.ts";
import { teamFinder } from "./people/team/finder.ts";
import { workspaceSettingsFinder } from "./people/workspace-settings/finder.ts";
import { workspacesFinder } from "./people/workspaces/finder.ts";
import { auditLogFinder } from "./platform/audit-log/finder.ts";
import { searchFinder } from "./platform/search/finder.ts";

/** What the palette finds of the panel's features; loaded soon after the page. */
export const finders: readonly Finder[] = [
  searchFinder,
  fleetFinder,
  fleetGroupsFinder,
  fleetOverviewFinder,
  nodeLogsFinder,
  nodeTerminalsFinder,
  teamFinder,
  invitationsFinder,
  workspacesFinder,
  workspaceSettingsFinder,
  ssoFinder,
  scimFinder,
  chatFinder,
  supportFinder,
  accountsFinder,
  factorsFinder,
  signInsFinder,
  auditLogFinder,
  lookFinder,
];

/** The panel finds by itself, and asks servers. */
export const search = ServerSearch;
