/** Release notes: what each release of the programs brought, for anybody to read; nodes fetch theirs from here. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { PanelBase } from "../../base.ts";
import { fail } from "./contract.ts";
import { bindReleaseNoteRoutes } from "./routes.ts";

export const releaseNotesFeature = defineFeature({ name: "release-notes", errors: fail.table });

export const createReleaseNotes = (base: Pick<PanelBase, "lists">): Part => ({
  feature: releaseNotesFeature,
  routes: [bindReleaseNoteRoutes(base)],
});
