import type { StarterApp } from "../../../../src/node/platform/setup/contract.ts";
import { isRecord } from "../../../client/problem.ts";

/** Where what was ordered is kept until the wizard is left: a phone drops a page, or somebody loads it anew. */
const key = "orrery.setup.started";

const isStarter = (value: unknown): value is StarterApp =>
  isRecord(value) &&
  typeof value["template"] === "string" &&
  (typeof value["app_id"] === "string" || typeof value["error"] === "string");

/** What this tab has ordered in the wizard; null when that is nothing. */
export function recallStarted(): StarterApp[] | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return Array.isArray(value) && value.every(isStarter) ? value : null;
  } catch {
    return null;
  }
}

export const keepStarted = (items: readonly StarterApp[]): void => sessionStorage.setItem(key, JSON.stringify(items));

export const forgetStarted = (): void => sessionStorage.removeItem(key);

const apps = (count: number): string => (count === 1 ? "1 app" : `${count} apps`);

/** How far the starter apps are, in words; `isRunning` says so of one by its id. */
export function tellStarted(items: readonly StarterApp[], isRunning: (id: string) => boolean) {
  const ids = items.flatMap((item) => ("app_id" in item ? [item.app_id] : []));
  const ready = ids.filter(isRunning).length;
  const isDone = ready === ids.length;
  const refused = items.length - ids.length;
  if (!isDone)
    return { isDone, title: "Installing", lede: `${ready} of ${ids.length} ready. You may leave, it keeps going.` };
  if (refused === 0) return { isDone, title: "All set", lede: "Your apps are running. Open them from the home page." };
  const why = refused === 1 ? "The reason is below. The store has it" : "The reasons are below. The store has them";
  return {
    isDone,
    title: ready === 0 ? "No app was installed" : `All but ${apps(refused)}`,
    lede: `${ready === 0 ? "" : "The others are running. "}${why} at any time.`,
  };
}
