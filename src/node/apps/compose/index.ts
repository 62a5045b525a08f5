/** The subset of Compose that we run: text in, services with units and in order out; no I/O. */

export { FURTHER_KEYS } from "./further-keys.ts";
export type {
  ComposeProject,
  DependencySpec,
  GivenFile,
  HealthcheckSpec,
  MountSpec,
  NetworkSpec,
  PublishedPort,
  ServiceSpec,
} from "./model.ts";
export { outlineCompose, type ProjectOutline } from "./outline.ts";
export { parseEnv } from "./parse-env.ts";
export { requiredPermissions } from "./permissions.ts";
export { boundProblems, ComposeError, type ComposeProblem, describeProblem } from "./problem.ts";
export { listVariables, parseCompose } from "./project.ts";
export { BRIDGE_OPTION } from "./project-parts.ts";
export { SERVICE_KEYS } from "./service.ts";
export { createPathFinder } from "./yaml-tree.ts";
