/** Copies that everything can be brought back from. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { backupsFeature, createBackups, createRestoreCommand, type RestoreNeeds } from "./backups/index.ts";
import type { Needs } from "./backups/needs.ts";
import { createDropOffs, dropOffsFeature } from "./drop-offs/index.ts";
import type { Needs as DropOffNeeds } from "./drop-offs/needs.ts";
import { createRestic, resticFeature } from "./restic/index.ts";
import type { Needs as ResticNeeds } from "./restic/needs.ts";

/** The static halves of the area, in boot order. */
export const backupsFeatures = [
  backupsFeature,
  dropOffsFeature,
  resticFeature,
] as const satisfies readonly NodeFeature[];

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireBackups(base: Needs & DropOffNeeds & ResticNeeds) {
  return { parts: [createBackups(base), createDropOffs(base), createRestic(base)] satisfies readonly Part[] };
}

/** The commands of the area. */
export const backupsCommands = (needs: RestoreNeeds): readonly Command[] => [createRestoreCommand(needs)];
