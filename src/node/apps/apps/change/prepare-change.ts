import { kernelFail } from "../../../../kernel/http/errors.ts";
import { ComposeError } from "../../compose/index.ts";
import { type Blueprint, configOf, drawBlueprint, lanAddress } from "../blueprint/blueprint.ts";
import { containerSpec, specDigest } from "../blueprint/container-spec.ts";
import { resolveInputs } from "../blueprint/inputs.ts";
import { nodeId } from "../blueprint/names.ts";
import { makeSecret } from "../blueprint/secrets.ts";
import type { AppConfig, ConfigChange, PlannedChange } from "../contract.ts";
import type { Own } from "../needs.ts";
import { assertConfigFits } from "../plan/conditions.ts";
import { wantedPorts } from "../plan/find-ports.ts";
import { findHolder, type PlacedPort, placePorts, type TakenPort, type WantedPort } from "../plan/ports.ts";
import { portName } from "../plan/reach.ts";
import { takenPorts } from "../plan/taken-ports.ts";
import { type AppRow, listPorts, type PortRow } from "../store.ts";
import { describeChange } from "./describe-change.ts";
import { mergeConfig, pinPorts } from "./merge-config.ts";
import { describeRotation, findRotatable } from "./rotation.ts";

/** A change of an app that could be made. */
export interface PreparedChange {
  /** What is stored of the choices. */
  config: AppConfig;
  /** What the app is made from then. */
  next: Blueprint;
  /** Where its ports will be; none for an app that has none, because its install failed. */
  ports: PlacedPort[];
  wanted: WantedPort[];
  taken: TakenPort[];
  changes: PlannedChange[];
  /** New values of secrets, by key. */
  secrets: Readonly<Record<string, string>>;
  /** Services whose containers must be made anew. */
  renewed: string[];
  /** Ports that cannot be where they are wanted, each with the next free one; none for one that can have no other. */
  conflicts: { port: number; free: number | null }[];
}

function findConflicts(
  change: ConfigChange,
  wanted: readonly WantedPort[],
  placed: readonly PlacedPort[],
  taken: readonly TakenPort[],
): PreparedChange["conflicts"] {
  return placed.flatMap((place, index): PreparedChange["conflicts"] => {
    const asked = change.ports?.[portName(place)];
    if (asked !== undefined && asked !== place.host) return [{ port: asked, free: place.host }];
    const isBlocked = wanted[index]?.isFixed === true && findHolder(place, taken) !== null;
    return isBlocked ? [{ port: place.host, free: null }] : [];
  });
}

/** Services whose containers differ between two sides; images are the same on both. */
function listRenewed(node: string, before: Blueprint, after: Blueprint): string[] {
  const digests = ({ project }: Blueprint, side: Blueprint) =>
    new Map(
      project.services.map((service) => [service.name, specDigest(containerSpec(side, service, service.image, node))]),
    );
  const former = digests(before, before);
  return [...digests(after, after)].flatMap(([name, digest]) => (former.get(name) === digest ? [] : [name]));
}

/** The blueprint of the app as it would be. Throws `invalid_request` where its Compose file cannot be read with it. */
function drawNext(
  own: Own,
  app: AppRow,
  config: AppConfig,
  ports: PortRow[],
  secrets: PreparedChange["secrets"],
): Blueprint {
  try {
    return drawBlueprint(own, app, config, ports, secrets);
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    throw kernelFail("invalid_request", { field: "inputs", reason: error.message });
  }
}

/**
 * Works out what a change does, without doing it. Secrets named in `keys` get a new value. Throws `invalid_request` for a change
 * that does not fit the app, `app_secret_not_found` and `app_secret_fixed`.
 */
export async function prepareChange(
  own: Own,
  app: AppRow,
  change: ConfigChange,
  keys: readonly string[] = [],
): Promise<PreparedChange> {
  const rows = listPorts(own.db, app.id);
  const stored = configOf(app);
  const before = drawBlueprint(own, app, pinPorts(stored, rows), rows);
  const { manifest } = before;
  assertConfigFits(own, manifest, change);
  const rotated = keys.map((key) => findRotatable(app, manifest, key));
  const secrets = Object.fromEntries(rotated.map((secret) => [secret.key, makeSecret(secret)]));
  const config = mergeConfig(pinPorts(stored, rows), change);
  resolveInputs(manifest.inputs, config.inputs ?? {});
  const isFixed = new Set(manifest.ports.filter(({ fixed }) => fixed).map(portName));
  const wanted = wantedPorts(own, manifest, config, null).map((port) => ({
    ...port,
    isFixed: port.isFixed || (isFixed.has(portName(port)) && change.ports?.[portName(port)] === undefined),
  }));
  const taken = await takenPorts(own, app.id);
  const placed = placePorts(wanted, taken, lanAddress());
  const next = drawNext(
    own,
    app,
    config,
    placed.map((port) => ({ ...port, app_id: app.id })),
    secrets,
  );
  return {
    config: { ...mergeConfig(stored, change), reach: config.reach ?? {} },
    next,
    ports: rows.length === 0 ? [] : placed,
    wanted,
    taken,
    changes: [
      ...describeChange(before, rows.length === 0 ? { ...next, ports: rows } : next),
      ...rotated.map(describeRotation),
    ],
    secrets,
    renewed: listRenewed(nodeId(own.seal), before, next),
    conflicts: findConflicts(change, wanted, placed, taken),
  };
}
