import { defineContextFeature } from "../../context.ts";
import init from "./migrations/0001_live.sql" with { type: "text" };

export const live = defineContextFeature({
  name: "live",
  migrations: [init],
});
