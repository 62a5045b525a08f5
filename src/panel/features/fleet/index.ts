/** Fleet: the nodes of a workspace as lists, figures and series, read from the live store. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";

export { fail as fleetFail } from "./contract.ts";

export const fleet = defineFeature<PanelContext>({
  name: "fleet",
  requires: ["sessions"],
  errors: fail.table,
});
