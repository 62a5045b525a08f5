/** Commands: what people have nodes do, kept until each node has said what became of it. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { commandMeanings } from "./events.ts";
import init from "./migrations/0001_commands.sql" with { type: "text" };
import { commandRoutes } from "./routes.ts";

export { type Commands, createCommands } from "./queue.ts";

export const commands = defineContextFeature({
  name: "commands",
  migrations: [init],
  errors: fail.table,
  routes: commandRoutes,
  events: commandMeanings,
});
