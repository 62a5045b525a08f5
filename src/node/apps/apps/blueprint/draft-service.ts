import type { ContainerSpec } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import type { AppRow } from "../store.ts";
import { readBlueprint } from "./blueprint.ts";
import { aloneSpec } from "./container-spec.ts";
import { nodeId } from "./names.ts";

/** A service of an app, for whoever needs a container like its own. */
export interface ServiceDraft {
  image: string;
  environment: Readonly<Record<string, string>>;
  /** Volumes that it writes to, by the name that the app gives them, with where they lie, and whether other services have them, too. */
  volumes: readonly { name: string; target: string; isShared: boolean }[];
  /** A container like its own that nobody reaches, with other volumes of Docker in the place of some. */
  alone(image: string, instead: ReadonlyMap<string, string>): ContainerSpec;
}

/** Null where the app has no such service. Throws ComposeError. */
export function draftService(own: Pick<Own, "db" | "seal">, app: AppRow, name: string): ServiceDraft | null {
  const blueprint = readBlueprint(own, app);
  const { services } = blueprint.project;
  const service = services.find((item) => item.name === name);
  if (!service) return null;
  const isElsewhere = (volume: string) =>
    services.some((other) => other !== service && other.mounts.some((m) => m.kind === "volume" && m.volume === volume));
  return {
    image: service.image,
    environment: service.environment,
    volumes: service.mounts.flatMap((mount) =>
      mount.kind === "volume" && !mount.isReadOnly
        ? [{ name: mount.volume, target: mount.target, isShared: isElsewhere(mount.volume) }]
        : [],
    ),
    alone: (image, instead) => aloneSpec(blueprint, service, image, nodeId(own.seal), instead),
  };
}
