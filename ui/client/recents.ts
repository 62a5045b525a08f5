import { recall, store } from "./preferences.ts";
import { isRecord } from "./problem.ts";

/** A page that was opened by its name. */
export interface Recent {
  path: string;
  title: string;
  group: string;
  icon: string;
  detail: string;
}

const key = "orrery.recents";
const most = 6;

/** What this person opened last on this device, the latest first. `person` names them and the workspace; nobody sees another's. */
export function recentsOf(person: string): Recent[] {
  const { person: kept, pages } = recall(key);
  return kept === person && Array.isArray(pages) ? pages.filter(isRecent) : [];
}

/** Puts a page first. */
export function remember(person: string, recent: Recent): void {
  const pages = [recent, ...recentsOf(person).filter(({ path }) => path !== recent.path)].slice(0, most);
  store(key, JSON.stringify({ person, pages }));
}

/** Whoever uses this device next is not told what was opened. */
export const forgetRecents = (): void => store(key, "{}");

const isRecent = (value: unknown): value is Recent =>
  isRecord(value) &&
  ["path", "title", "group", "icon", "detail"].every((name) => typeof value[name] === "string") &&
  /^\/(?!\/)/.test(String(value["path"]));
