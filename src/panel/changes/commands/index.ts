/** Commands: what people have nodes do, kept until each node has said what became of it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { commandMeanings } from "./events.ts";
import init from "./migrations/0001_commands.sql" with { type: "text" };
import byStatus from "./migrations/0002_commands_by_status.sql" with { type: "text" };
import outputs from "./migrations/0003_command_outputs.sql" with { type: "text" };
import byEnd from "./migrations/0004_commands_by_end.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createPost, type Post } from "./post.ts";
import { type CommandQueue, createCommandQueue } from "./queue.ts";
import { type CommandRate, createCommandRate } from "./rate.ts";
import { bindCommandRoutes } from "./routes.ts";
import { deleteGenerations, selectOfNode } from "./store.ts";

export const commandsFeature = defineFeature({
  name: "commands",
  migrations: [init, byStatus, outputs, byEnd],
  errors: fail.table,
  events: commandMeanings,
});

export type { NewCommand } from "./post.ts";
export type { CommandKey } from "./queue-store.ts";
export { readVerb, requireMaySend } from "./verbs.ts";

export interface Commands extends CommandQueue, Post, Part {
  start(): Promise<void>;
  stop(): void;
  rate: CommandRate;
}

export function createCommands(needs: Needs): Commands {
  const queue = createCommandQueue(needs);
  const rate = createCommandRate(needs.clock);
  needs.lists.commands.add(queue);
  // Numbers of commands follow the clock: a node that comes again later gets greater ones all the same.
  needs.lists.remains.add({ needs: selectOfNode, clear: deleteGenerations });
  return {
    feature: commandsFeature,
    routes: [bindCommandRoutes({ ...needs, queue, rate })],
    rate,
    ...queue,
    ...createPost({ ...needs, queue }),
  };
}
