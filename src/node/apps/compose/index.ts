/** The subset of Compose that we run: text in, services with units and in order out; no I/O. */
export type {
  ComposeProject,
  DependencySpec,
  HealthcheckSpec,
  MountSpec,
  ServiceSpec,
} from "./model.ts";
export { outlineCompose, type ProjectOutline } from "./outline.ts";
export { requiredPermissions } from "./permissions.ts";
export { ComposeError, type ComposeProblem, describeProblem } from "./problem.ts";
export { listVariables, parseCompose } from "./project.ts";
export { SERVICE_KEYS } from "./service.ts";
export { lineOfPath } from "./yaml-tree.ts";
