import type { Manifest } from "../../templates/index.ts";
import { type Blueprint, configOf, drawBlueprint } from "../blueprint/blueprint.ts";
import { mergeConfig, pinPorts } from "../change/merge-config.ts";
import type { AppConfig } from "../contract.ts";
import type { Own } from "../needs.ts";
import { isPathDanger } from "../plan/host-paths.ts";
import { LOOPBACK } from "../plan/ports.ts";
import { portName, reachOf } from "../plan/reach.ts";
import { type AppRow, listPorts, type PortRow } from "../store.ts";
import type { Side } from "./update-store.ts";

/** What an app is now. */
export function currentSide({ db }: Pick<Own, "db">, app: AppRow): Side {
  const { version, config, manifest, compose, generation } = app;
  const ports = listPorts(db, app.id).map(({ app_id: _, ...port }) => port);
  return { version, config, manifest, compose, generation, ports };
}

/** The choices that a version still knows; it would refuse the others. */
export function fitConfig(manifest: Manifest, config: AppConfig): AppConfig {
  // On the server's own network there is nothing to choose.
  const ports = new Set(manifest.ports.filter(({ host_network }) => host_network !== true).map(portName));
  const inputs = new Set(manifest.inputs.map(({ key }) => key));
  const permissions = new Set(manifest.permissions.map(({ id }) => id));
  const only = <Value>(values: Record<string, Value> | undefined, has: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => has(key)));
  return {
    ...config,
    inputs: only(config.inputs, (key) => inputs.has(key)),
    ports: only(config.ports, (key) => ports.has(key)),
    reach: only(config.reach, (key) => ports.has(key)),
    limits: only(config.limits, (key) => Object.hasOwn(manifest.limits, key)),
    permissions: (config.permissions ?? []).filter((id) => permissions.has(id) || isPathDanger(id)),
  };
}

const isOpen = ({ bind }: Pick<PortRow, "bind">): boolean => reachOf(bind) === "lan";

/** A side no port of which is on the network but those that are so `now`: people may have closed the app since then. */
export function keepClosed(side: Side, now: Side["ports"]): Side {
  const open = new Set(now.filter(isOpen).map(portName));
  const closed = side.ports.map(portName).filter((name) => !open.has(name));
  const reach = Object.fromEntries(closed.map((name) => [name, "loopback" as const]));
  return {
    ...side,
    config: JSON.stringify(mergeConfig(JSON.parse(side.config), { reach })),
    ports: side.ports.map((port) => (open.has(portName(port)) ? port : { ...port, bind: LOOPBACK })),
  };
}

/**
 * The choices for a version after the one that has these ports, each of which stays where it is. One that the version names anew stays on
 * this server where nothing of the app is on the network now, or nothing for that purpose: people may have closed it by its former name.
 */
export function pinForward(manifest: Manifest, config: AppConfig, rows: readonly PortRow[]): AppConfig {
  const pinned = fitConfig(manifest, pinPorts(config, rows));
  const isClosed = ({ purpose }: { purpose: string }) =>
    !rows.some(isOpen) || rows.some((row) => row.purpose === purpose && !isOpen(row));
  const fresh = manifest.ports.filter((port) => pinned.reach?.[portName(port)] === undefined && isClosed(port));
  const reach = Object.fromEntries(fresh.map((port) => [portName(port), "loopback" as const]));
  return { ...pinned, reach: { ...pinned.reach, ...reach } };
}

/** Everything that the containers of one side are made from. Throws ComposeError. */
export function drawSide(own: Pick<Own, "db" | "seal">, app: AppRow, { ports, ...side }: Side): Blueprint {
  const row: AppRow = { ...app, ...side };
  return drawBlueprint(
    own,
    row,
    configOf(row),
    ports.map((port) => ({ ...port, app_id: app.id })),
  );
}
