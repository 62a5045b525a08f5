import type { App, AppStatus } from "../../../../src/node/apps/apps/contract.ts";
import type { State } from "../../../kit/status.tsx";

const states: Record<AppStatus, [state: State, word: string]> = {
  installing: ["busy", "Installing…"],
  running: ["ok", "Running"],
  stopped: ["off", "Stopped"],
  starting: ["busy", "Starting…"],
  stopping: ["busy", "Stopping…"],
  updating: ["busy", "Updating…"],
  rolling_back: ["busy", "Rolling back…"],
  degraded: ["warn", "Degraded"],
  error: ["crit", "Failed"],
  uninstalling: ["busy", "Uninstalling…"],
};

/** Shape and word of an app's status. */
export function appState(app: Pick<App, "status">): { state: State; word: string } {
  const [state, word] = states[app.status];
  return { state, word };
}

/** True while something is under way and the buttons have to wait. */
export function isBusy(app: Pick<App, "status">): boolean {
  return states[app.status][0] === "busy";
}

/** True while it runs, as a whole or in part. */
export function isUp(app: Pick<App, "status">): boolean {
  return app.status === "running" || app.status === "degraded";
}

/** True when the same limits would only fail again: the server's advice is to raise one. */
export function wantsMemory(app: Pick<App, "next_step">): boolean {
  return app.next_step?.startsWith("Raise the memory limit") === true;
}

/** True when the same image would only fail again: the server's advice is to choose another version. */
export function wantsVersion(app: Pick<App, "next_step">): boolean {
  return app.next_step?.includes("another version of the app") === true;
}

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** True when the page comes from the machine that the browser runs on. */
export function isOnServer(page: Pick<Location, "hostname"> = location): boolean {
  return loopback.has(page.hostname);
}

/** Where an app opens from this browser: an address, only on the server itself, or nowhere (no web page). */
export type Reach = { kind: "open"; url: string } | { kind: "server-only" } | { kind: "none" };

/**
 * Turns the server's idea of an address into one for this browser. An app on loopback opens only in a browser on the server. One on the
 * network opens under the name that brought the reader here, unless that was https, behind which the app's port is not.
 */
export function reachOf(app: Pick<App, "url">, page: Pick<Location, "hostname" | "protocol"> = location): Reach {
  if (app.url === null || !URL.canParse(app.url)) return { kind: "none" };
  const url = new URL(app.url);
  if (loopback.has(url.hostname)) {
    if (!isOnServer(page)) return { kind: "server-only" };
    url.hostname = page.hostname;
  } else if (page.protocol === "http:" && url.port !== "") url.hostname = page.hostname;
  return { kind: "open", url: url.href };
}
