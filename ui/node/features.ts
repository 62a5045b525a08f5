import { collectPage } from "../shell/feature.ts";
import { appsFeatures } from "./apps/features.ts";
import { backupsFeatures } from "./backups/features.ts";
import { hostFeatures } from "./host/features.ts";
import { monitoringFeatures } from "./monitoring/features.ts";
import { panelLinkFeatures } from "./panel-link/features.ts";
import { peopleFeatures } from "./people/features.ts";
import { platformFeatures } from "./platform/features.ts";
import { storageFeatures } from "./storage/features.ts";

/** The parts of the menu. */
const groups = [
  { id: "main", label: "Main" },
  { id: "watch", label: "Watch", heading: true },
  { id: "manage", label: "Manage", heading: true },
];

/** The node's page: what the features of all areas bring to it. */
export const page = collectPage(groups, [
  ...platformFeatures,
  ...peopleFeatures,
  ...hostFeatures,
  ...storageFeatures,
  ...appsFeatures,
  ...monitoringFeatures,
  ...backupsFeatures,
  ...panelLinkFeatures,
]);
