/** After a restore: an older database that was put back lets in again whom it let in then, until that is ended. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { afterRestoreMeanings } from "./events.ts";
import { askable, endAdmissions, type Outcome } from "./logic.ts";
import type { Needs } from "./needs.ts";

export { type AfterRestoreCommandNeeds, createAfterRestoreCommand } from "./commands.ts";

export const afterRestoreFeature = defineFeature({ name: "after-restore", events: afterRestoreMeanings });

export interface AfterRestore extends Part {
  /** The names of what ends only when it is asked for. */
  askable(): string[];
  /** Ends what an older database lets in again, also what is asked for by these names. */
  endAdmissions(asked: readonly string[]): Promise<Outcome>;
}

export const createAfterRestore = (needs: Needs): AfterRestore => ({
  feature: afterRestoreFeature,
  askable: () => askable(needs),
  endAdmissions: (asked) => endAdmissions(needs, asked),
});
