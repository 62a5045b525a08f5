import type { Finder } from "../shell/finder.ts";
import { lookFinder } from "../shell/look-finder.ts";
import { ServerSearch } from "../shell/server-search.ts";
import { appsFinder } from "./apps/apps/finder.ts";
import { composeProjectsFinder } from "./apps/compose-projects/finder.ts";
import { containersFinder } from "./apps/containers/finder.ts";
import { registriesFinder } from "./apps/registries/finder.ts";
import { backupsFinder } from "./backups/backups/finder.ts";
import { resticFinder } from "./backups/restic/finder.ts";
import { componentsFinder } from "./host/components/finder.ts";
import { hostTerminalsFinder } from "./host/host-terminals/finder.ts";
import { alertChannelsFinder } from "./monitoring/alert-channels/finder.ts";
import { alertingFinder } from "./monitoring/alerting/finder.ts";
import { costFinder } from "./monitoring/cost/finder.ts";
import { disksFinder } from "./monitoring/disks/finder.ts";
import { insightsFinder } from "./monitoring/insights/finder.ts";
import { logForwardersFinder } from "./monitoring/log-forwarders/finder.ts";
import { logsFinder } from "./monitoring/logs/finder.ts";
import { maintenanceFinder } from "./monitoring/maintenance/finder.ts";
import { metricsFinder } from "./monitoring/metrics/finder.ts";
import { panelLinkFinder } from "./panel-link/panel-link/finder.ts";
import { authFinder } from "./people/auth/finder.ts";
import { davPasswordsFinder } from "./people/dav-passwords/finder.ts";
import { keysFinder } from "./people/keys/finder.ts";
import { lockFinder } from "./people/lock/finder.ts";
import { pairedDevicesFinder } from "./people/paired-devices/finder.ts";
import { passkeysFinder } from "./people/passkeys/finder.ts";
import { profileFinder } from "./people/profile/finder.ts";
import { sessionsFinder } from "./people/sessions/finder.ts";
import { totpFinder } from "./people/totp/finder.ts";
import { usersFinder } from "./people/users/finder.ts";
import { auditFinder } from "./platform/audit/finder.ts";
import { plansFinder } from "./platform/plans/finder.ts";
import { releaseNotesFinder } from "./platform/release-notes/finder.ts";
import { settingsFinder } from "./platform/settings/finder.ts";
import { timelineFinder } from "./platform/timeline/finder.ts";
import { webhooksFinder } from "./platform/webhooks/finder.ts";
import { driveFinder } from "./storage/drive/finder.ts";
import { objectsFinder } from "./storage/objects/finder.ts";
import { sharesFinder } from "./storage/shares/finder.ts";

/** What the palette finds of the node's features; loaded soon after the page, like the cards of shared screens with theirs. */
export const finders: readonly Finder[] = [
  appsFinder,
  containersFinder,
  composeProjectsFinder,
  registriesFinder,
  driveFinder,
  sharesFinder,
  objectsFinder,
  backupsFinder,
  resticFinder,
  componentsFinder,
  hostTerminalsFinder,
  usersFinder,
  disksFinder,
  metricsFinder,
  alertingFinder,
  alertChannelsFinder,
  maintenanceFinder,
  logsFinder,
  logForwardersFinder,
  insightsFinder,
  costFinder,
  webhooksFinder,
  keysFinder,
  davPasswordsFinder,
  authFinder,
  totpFinder,
  passkeysFinder,
  sessionsFinder,
  pairedDevicesFinder,
  lockFinder,
  profileFinder,
  auditFinder,
  timelineFinder,
  settingsFinder,
  panelLinkFinder,
  plansFinder,
  releaseNotesFinder,
  lookFinder,
];

/** Files of the Drive and objects in buckets are looked for by the server. */
export const search = ServerSearch;
