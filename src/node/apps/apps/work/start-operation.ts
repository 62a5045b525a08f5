import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { bareBlueprint, readBlueprint } from "../blueprint/blueprint.ts";
import type { Own } from "../needs.ts";
import type { AppRow, AppWork } from "../store.ts";
import { WORK_KINDS } from "./kinds.ts";

/**
 * Starts the operation of an app's work; call it in the transaction that writes the work. `known` says what people know the
 * work as, where it is part of something else. Throws ComposeError.
 */
export function startOperation(
  own: Own,
  app: AppRow,
  kind: AppWork,
  by: Asker | null,
  known: { kind: string; title: string } = { kind, title: WORK_KINDS[kind].title },
): OperationHandle {
  const blueprint = kind === "uninstall" ? bareBlueprint(own, app) : readBlueprint(own, app);
  const { steps } = WORK_KINDS[kind];
  return own.operations.begin({
    kind: `app.${known.kind}`,
    by,
    subject_id: app.id,
    title: `${known.title} ${blueprint.manifest.display_name}`,
    steps: steps(blueprint).map((item) => ({ step: item.step, title: item.title })),
  });
}
