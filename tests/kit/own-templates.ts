import { join } from "node:path";

/** Folder with the templates that only tests have: `whoami`, which has no secrets, no volumes and next to nothing to start. */
export const OWN_TEMPLATES = join(import.meta.dirname, "own-templates");
