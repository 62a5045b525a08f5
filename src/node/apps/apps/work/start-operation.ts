import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { bareBlueprint, readBlueprint } from "../blueprint/blueprint.ts";
import type { Own } from "../needs.ts";
import type { AppRow, AppWork } from "../store.ts";
import { WORK_KINDS } from "./kinds.ts";

/** Starts the operation of an app's work; call it in the transaction that writes the work. Throws ComposeError. */
export function startOperation(own: Own, app: AppRow, kind: AppWork, by: Asker | null): OperationHandle {
  const blueprint = kind === "uninstall" ? bareBlueprint(own, app) : readBlueprint(own, app);
  const { title, steps } = WORK_KINDS[kind];
  return own.operations.begin({
    kind: `app.${kind}`,
    by,
    subject_id: app.id,
    title: `${title} ${blueprint.manifest.display_name}`,
    steps: steps(blueprint).map((item) => ({ step: item.step, title: item.title })),
  });
}
