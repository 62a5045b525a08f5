import type { Manifest } from "../../templates/index.ts";
import { type Blueprint, configOf, drawBlueprint } from "../blueprint/blueprint.ts";
import { mergeConfig } from "../change/merge-config.ts";
import type { AppConfig } from "../contract.ts";
import type { Own } from "../needs.ts";
import { LOOPBACK } from "../plan/ports.ts";
import { portName, reachOf } from "../plan/reach.ts";
import { type AppRow, listPorts } from "../store.ts";
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
    permissions: (config.permissions ?? []).filter((id) => permissions.has(id)),
  };
}

/** A side whose ports stay on this server where those of `now` do: people may have closed the app since then. */
export function keepClosed(side: Side, now: Side["ports"]): Side {
  const closed = new Set(now.filter(({ bind }) => reachOf(bind) === "loopback").map(portName));
  const reach = Object.fromEntries([...closed].map((name) => [name, "loopback" as const]));
  return {
    ...side,
    config: JSON.stringify(mergeConfig(JSON.parse(side.config), { reach })),
    ports: side.ports.map((port) => (closed.has(portName(port)) ? { ...port, bind: LOOPBACK } : port)),
  };
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
