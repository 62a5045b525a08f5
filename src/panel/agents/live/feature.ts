import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import init from "./migrations/0001_live.sql" with { type: "text" };

export const live = defineFeature<PanelContext>({ name: "live", requires: ["tenants", "nodes"], migrations: [init] });
