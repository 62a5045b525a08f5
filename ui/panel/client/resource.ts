import { createResources } from "../../client/resource.ts";
import { api } from "./api.ts";
import type { Routes } from "./routes.ts";

/** The panel's answers, shared by all screens. */
export const { resource, useResource, clearResources } = createResources<Routes>(api);
