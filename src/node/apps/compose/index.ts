/** The subset of Compose that we run: text in, services with units and in order out; no I/O. */
export type {
  ComposeProject,
  ContainerPort,
  DependencyCondition,
  DependencySpec,
  DeviceSpec,
  HealthcheckSpec,
  HostEntry,
  LimitSpec,
  MountSpec,
  NetworkAttachment,
  NetworkSpec,
  PublishedPort,
  RestartSpec,
  ServiceSpec,
  UlimitSpec,
  VolumeSpec,
} from "./model.ts";
export { outlineCompose, type ProjectOutline } from "./outline.ts";
export { type RequiredPermission, requiredPermissions } from "./permissions.ts";
export { ComposeError, type ComposeProblem, describeProblem } from "./problem.ts";
export { listVariables, type ParseOptions, parseCompose } from "./project.ts";
export { SERVICE_KEYS } from "./service.ts";
export { lineOfPath } from "./yaml-tree.ts";
