import { collectPage } from "../shell/feature.ts";
import { changeFeatures } from "./changes/features.ts";
import { fleetFeatures } from "./fleet/features.ts";
import { peopleFeatures } from "./people/features.ts";
import { platformFeatures } from "./platform/features.ts";

/** The parts of the menu. */
const groups = [
  { id: "main", label: "Main" },
  { id: "workspace", label: "Workspace", heading: true },
];

/** The panel's page: what the features of all areas bring to it. */
export const page = collectPage(groups, [...platformFeatures, ...peopleFeatures, ...fleetFeatures, ...changeFeatures]);
