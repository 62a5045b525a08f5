import type { AppConfig, ConfigChange } from "../contract.ts";
import { portName, reachOf } from "../plan/reach.ts";
import type { PortRow } from "../store.ts";

/** What an app has now: what was chosen, and for its ports where they are, so that a change moves no other. */
export function pinPorts(config: AppConfig, rows: readonly PortRow[]): AppConfig {
  return {
    ...config,
    reach: { ...config.reach, ...Object.fromEntries(rows.map((row) => [portName(row), reachOf(row.bind)])) },
    ports: { ...config.ports, ...Object.fromEntries(rows.map((row) => [portName(row), row.host])) },
  };
}

/** What was chosen with a change on top of it. `publish` speaks of all ports, so that it ends what was said of single ones. */
export function mergeConfig(config: AppConfig, change: ConfigChange): AppConfig {
  const { publish = config.publish } = change;
  const before = change.publish === undefined ? config.reach : {};
  return {
    ...config,
    inputs: { ...config.inputs, ...change.inputs },
    ports: { ...config.ports, ...change.ports },
    limits: { ...config.limits, ...change.limits },
    reach: { ...before, ...change.reach },
    ...(publish === undefined ? {} : { publish }),
  };
}
