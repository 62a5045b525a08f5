import { AppError } from "../../../kernel/http/errors.ts";
import { seconds } from "../../../lib/duration.ts";
import { explainEngine } from "../../apps/apps/index.ts";
import { type Engine, EngineError } from "../../apps/runtime/index.ts";
import { BrokenArchive } from "./archive-filter.ts";
import { codeOf } from "./failures.ts";
import type { Own } from "./needs.ts";

/** What is in the way of one app's copy, and of nothing else, in words for people. */
export class AppFault extends Error {}

/** Time in which it becomes known that the engine is gone. */
const CONNECTION_MS = seconds(2);

/** Whether the engine is there still, so that what it refused was about one app. One that goes away refuses whatever it is asked. */
async function isThere({ clock, runtime, signal }: Own, engine: Engine): Promise<boolean> {
  await clock.sleep(CONNECTION_MS, signal);
  if (signal.aborted || runtime.engine() !== engine) return false;
  try {
    await engine.facts();
    return runtime.engine() === engine;
  } catch {
    return false;
  }
}

/**
 * Whether an error is about one app alone: about what its files are, what it does while they are copied, or what the engine does not do
 * with its containers. What is about the server, such as a target, a disk or the engine itself, stands in the way of all apps.
 * `engine` is the one that was there before.
 */
export async function isOfApp(own: Own, engine: Engine | null, error: unknown): Promise<boolean> {
  if (engine === null || own.signal.aborted || own.runtime.engine() !== engine) return false;
  if (error instanceof AppFault || error instanceof BrokenArchive || codeOf(error) === "tree_hollow") return true;
  if (error instanceof AppError) return error.code === "app_not_found" || error.code === "app_busy";
  if (!(error instanceof EngineError) || explainEngine(error.message)?.code === "disk_full") return false;
  const isRefused = error.status >= 400 && error.status < 500;
  return isRefused || (await isThere(own, engine));
}
