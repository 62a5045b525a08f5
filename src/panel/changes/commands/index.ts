/** Commands: what people have nodes do, kept until each node has said what became of it. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_commands.sql" with { type: "text" };
import { commandRoutes } from "./routes.ts";

export { type Commands, createCommands } from "./queue.ts";

export const commands = defineContextFeature<PanelContext>({
  name: "commands",
  migrations: [init],
  errors: fail.table,
  routes: commandRoutes,
});
