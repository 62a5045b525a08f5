import type { Engine } from "../runtime/index.ts";
import type { Target } from "./container-request.ts";
import type { PlanAction, ProjectFile } from "./contract.ts";
import type { Own } from "./needs.ts";
import type { Planned } from "./plan.ts";
import type { Before } from "./store.ts";

/** A deploy at work. */
export interface Deploy {
  own: Own;
  engine: Engine;
  target: Target;
  /** Further files of the project. */
  files: readonly ProjectFile[];
  plan: Planned["plan"];
  /** What is done with each service: what the plan says, until a newer image makes one anew that was to stay. */
  actions: PlanAction[];
  /** Newer images are asked for. */
  isPulling: boolean;
  before: Before;
  /** References under which the images are here, by what the file calls them. */
  images: Map<string, string>;
  /** Containers that were made or started by this deploy, by service. */
  started: Map<string, string>;
}

/** What is done with a service. */
export const actionOf = ({ actions }: Deploy, service: string): PlanAction["action"] | undefined =>
  actions.find((each) => each.service === service)?.action;
