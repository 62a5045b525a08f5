import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Operations } from "../../platform/operations/index.ts";
import type { Apps } from "../apps/index.ts";
import type { Registries } from "../registries/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { ContainerMeters } from "./container-stats.ts";
import type { ContainerEvents } from "./contract.ts";
import type { ImageCheckState } from "./image-checks/state.ts";

/** What the containers need. */
export interface Needs extends NodeBase {
  bus: Bus<ContainerEvents>;
  apps: Pick<Apps, "names" | "secretsOf" | "pulls" | "pullImage">;
  operations: Pick<Operations, "begin">;
  runtime: Pick<Runtime, "engine" | "requireEngine" | "watch">;
  /** Throws where whoever looks after a container with these labels does not let it be started. */
  requireStartable(labels: Readonly<Record<string, string>>): Promise<void>;
  registries: Pick<Registries, "logins">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  meters: ContainerMeters;
  /** Operations that pull an image for itself, by image. */
  pulls: Map<string, string>;
  imageChecks: ImageCheckState;
}
