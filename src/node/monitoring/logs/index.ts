/** Logs: the journal, the system's log and the output of any container, filtered where they are read. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { bindLogRoutes } from "./routes.ts";

export const logsFeature = defineFeature({ name: "logs", errors: fail.table });

export const createLogs = (needs: Needs): Part => ({ feature: logsFeature, routes: [bindLogRoutes(needs)] });
