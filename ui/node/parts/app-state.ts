import type { App, AppStatus } from "../../client/types.ts";
import type { State } from "../../kit/status.tsx";

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

/** The address to open in a browser. Loopback and wildcard hosts become the host this page came from. */
export function appUrl(app: Pick<App, "url" | "port">, host: string = location.hostname): string | null {
  if (app.url === null) return app.port === null ? null : `http://${host}:${app.port}/`;
  try {
    const url = new URL(app.url);
    if (["127.0.0.1", "0.0.0.0", "localhost", "[::]", "[::1]"].includes(url.hostname)) url.hostname = host;
    return url.href;
  } catch {
    return null;
  }
}
