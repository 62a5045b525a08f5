import type { Kind, RolloutInput } from "../../../../src/panel/changes/rollouts/contract.ts";
import { readStages } from "./words.ts";

/** What stands in the fields. */
export interface Draft {
  name: string;
  kind: Kind;
  target_version: string;
  app: string;
  verb: "app.update" | "app.restart" | "app.stop" | "app.start";
  program: string;
  back: string;
  group: string;
  regions: string;
  tags: string;
  seed: string;
  stages: string;
  soak: string;
  errorRate: string;
  cpu: string;
  boots: string;
  loss: string;
  auto: boolean;
}

export const emptyDraft: Draft = {
  ...{ name: "", kind: "os_version", target_version: "", app: "", verb: "app.update", program: "", back: "" },
  ...{ group: "", regions: "", tags: "", seed: "", stages: "1, 10, 50, 100", soak: "15" },
  ...{ errorRate: "0.5", cpu: "80", boots: "0", loss: "0", auto: true },
};

const wayBack: Record<Draft["verb"], string> = {
  "app.update": "app.rollback",
  "app.restart": "app.restart",
  "app.stop": "app.start",
  "app.start": "app.stop",
};

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

/** A number between two; null for anything else. */
function numberOf(text: string, most: number, isWhole: boolean): number | null {
  const value = Number(text.trim().replace(",", "."));
  const isGood = text.trim() !== "" && value >= 0 && value <= most && (!isWhole || Number.isInteger(value));
  return isGood ? value : null;
}

function actionOf(draft: Draft): RolloutInput["action"] | null {
  const { kind, app, verb, program, back } = draft;
  // Whoever is not on this version afterwards has nothing to take back.
  const payload = { app: app.trim(), ...(verb === "app.update" ? { version: draft.target_version.trim() } : {}) };
  if (kind === "os_version") return undefined;
  if (kind === "app")
    return app.trim() === ""
      ? null
      : {
          ...{ command_type: verb, payload },
          ...{ rollback_command_type: wayBack[verb], rollback_payload: payload },
        };
  if (program.trim() === "" || back.trim() === "") return null;
  return {
    ...{ command_type: "run_command", payload: { command: program.trim() } },
    ...{ rollback_command_type: "run_command", rollback_payload: { command: back.trim() } },
  };
}

/** What the panel is asked for; null while something is missing or wrong in the fields. */
export function readDraft(draft: Draft): RolloutInput | null {
  const stages = readStages(draft.stages);
  const soak = numberOf(draft.soak, 10_080, false);
  const max_error_rate = numberOf(draft.errorRate, 100, false);
  const max_cpu_p95 = numberOf(draft.cpu, 100, false);
  const max_failed_boots = numberOf(draft.boots, 10_000, true);
  const max_heartbeat_loss = numberOf(draft.loss, 10_000, true);
  const action = actionOf(draft);
  if (draft.name.trim() === "" || draft.target_version.trim() === "" || stages === null || soak === null) return null;
  if (max_error_rate === null || max_cpu_p95 === null || max_failed_boots === null || max_heartbeat_loss === null)
    return null;
  if (action === null) return null;
  return {
    ...{ name: draft.name.trim(), kind: draft.kind, target_version: draft.target_version.trim(), stages },
    ...{ soak_sec: Math.round(soak * 60), auto_promote: draft.auto, seed: draft.seed.trim() },
    gates: { max_error_rate, max_cpu_p95, max_failed_boots, max_heartbeat_loss },
    filter: {
      group_ids: draft.group === "" ? [] : [draft.group],
      regions: listOf(draft.regions),
      tags: listOf(draft.tags),
    },
    ...(action === undefined ? {} : { action }),
  };
}
