import { AppError } from "../../../../kernel/http/errors.ts";
import { manifestOf } from "../blueprint/blueprint.ts";
import type { AppConfig, ConfigPlan } from "../contract.ts";
import type { Own } from "../needs.ts";
import { check } from "../plan/checks.ts";
import { planOpenPaths } from "../plan/host-paths.ts";
import { checkPorts, checkReach } from "../plan/port-checks.ts";
import type { Visitor } from "../plan/reach.ts";
import type { AppRow } from "../store.ts";
import { type PreparedChange, prepareChange } from "./prepare-change.ts";

/** True for an app whose containers are there and meant to run. */
export const isUp = ({ status }: Pick<AppRow, "status">): boolean => status === "running" || status === "degraded";

/** An app that was up, or came down by itself, is brought up with what is new; one that rests goes on resting. */
export const needsWork = (app: AppRow): boolean => isUp(app) || (app.status === "error" && app.installed_at !== null);

/** Whether a change starts the app, or parts of it. */
export const mustWork = (app: AppRow, { renewed }: PreparedChange): boolean =>
  needsWork(app) && (renewed.length > 0 || app.status === "error");

function checkConflicts({ conflicts }: PreparedChange) {
  return conflicts.flatMap(({ port, free }) =>
    free === null
      ? []
      : [
          check("port", "fail", "Ports", `Port ${port} is taken on this server.`, {
            next_step: `Choose another one: ${free} is free.`,
          }),
        ],
  );
}

/** What a change, and new values of the secrets `keys`, would do and restart, without doing it. Throws `invalid_request` for what the app does not have. */
export async function planChange(
  own: Own,
  app: AppRow,
  { permissions, ...change }: AppConfig,
  visitor: Visitor,
  keys: readonly string[] = [],
): Promise<ConfigPlan> {
  const manifest = manifestOf(app);
  let prepared: PreparedChange;
  try {
    prepared = await prepareChange(own, app, change, keys);
  } catch (error) {
    // While people type, an answer that cannot be used yet is a check that does not pass.
    if (!(error instanceof AppError) || error.code !== "invalid_request" || !change.inputs) throw error;
    const checks = [check("inputs", "fail", "Settings", error.message, { next_step: "Correct it and look again." })];
    return { ok: false, changes: [], restarts: [], checks, ports: [], to_confirm: [] };
  }
  const { wanted, ports, taken, changes, renewed, next } = prepared;
  const checks =
    ports.length === 0
      ? []
      : [checkPorts(manifest, wanted, ports, taken), ...checkConflicts(prepared), checkReach(manifest, ports, visitor)];
  // What was asked for and cannot be had is told by the conflicts, in other words than at an install.
  const told = prepared.conflicts.some(({ free }) => free !== null) ? checks.slice(1) : checks;
  const starts = changes.length > 0 && mustWork(app, prepared);
  return {
    ok: told.every(({ status }) => status !== "fail"),
    changes,
    restarts: isUp(app) ? renewed : [],
    checks: told,
    ports,
    to_confirm: starts ? await planOpenPaths(own, next, permissions) : [],
  };
}
