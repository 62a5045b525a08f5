import type { NodeContext } from "../../context.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { bareBlueprint, readBlueprint } from "./blueprint.ts";
import { WORK_KINDS } from "./kinds.ts";
import type { AppRow, AppWork } from "./store.ts";

/** Starts the operation of an app's work; call it in the transaction that writes the work. Throws ComposeError. */
export function startOperation(ctx: NodeContext, app: AppRow, kind: AppWork, by: Asker | null): OperationHandle {
  const blueprint = kind === "uninstall" ? bareBlueprint(ctx, app) : readBlueprint(ctx, app);
  const { title, steps } = WORK_KINDS[kind];
  return ctx.operations.start({
    kind: `app.${kind}`,
    by,
    subject_id: app.id,
    title: `${title} ${blueprint.manifest.display_name}`,
    steps: steps(blueprint).map((item) => ({ step: item.step, title: item.title })),
  });
}
