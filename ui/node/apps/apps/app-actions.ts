import type { App, AppStatus } from "../../../../src/node/apps/apps/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

type Verb = "start" | "stop" | "restart" | "retry";

const past: Record<Verb, string> = {
  start: "is starting",
  stop: "is stopping",
  restart: "is restarting",
  retry: "is being installed again",
};
const during: Record<Verb, AppStatus> = {
  start: "starting",
  stop: "stopping",
  restart: "starting",
  retry: "installing",
};

/** Starts, stops, restarts or retries an app; the outcome comes through the event stream, a refusal as a toast. */
export async function actOnApp(app: App, verb: Verb): Promise<void> {
  const before = app.status;
  setStatus(app.id, during[verb]);
  try {
    const path = { id: app.id };
    if (verb === "retry") await api("POST /api/apps/{id}/retry", { path });
    else await api(`POST /api/apps/{id}/${verb}`, { path });
    toast(`${app.display_name} ${past[verb]}.`, { state: "busy" });
  } catch (error) {
    setStatus(app.id, before);
    const { code, message } = asProblem(error);
    // Its page tells it all, and asks.
    if (code === "path_unconfirmed")
      toast(`${app.display_name} was left as it is: somebody has to allow a path of it first.`, {
        state: "warn",
        action: { label: "Look", run: () => navigate(`/apps/${app.id}`) },
      });
    else toast(message, { state: "crit" });
  }
  void resource("GET /api/apps").refresh();
  void resource("GET /api/apps/{id}", { path: { id: app.id } }).refresh();
}

function setStatus(id: string, status: AppStatus): void {
  resource("GET /api/apps").set((list) => list?.map((app) => (app.id === id ? { ...app, status } : app)) ?? null);
  resource("GET /api/apps/{id}", { path: { id } }).set((app) => (app === null ? null : { ...app, status }));
}
