import { onShared, share, whenLeading } from "../../client/leader.ts";
import { isRecord } from "../../client/problem.ts";
import { play } from "../../client/sounds.ts";
import { openAlerts } from "../monitoring/alerting/open-alerts.ts";
import { liftLock, raiseLock, setLockTeller } from "./lock.ts";
import { resource } from "./resource.ts";
import { checkSession, user } from "./session.ts";
import { followStream } from "./stream.ts";
import type { App, AppStatus, Operation, Runtime } from "./types.ts";

/** Follows what happens on the server and puts it into the shared resources, in all tabs. Returns the way to stop. */
export function startEvents(): () => void {
  const stopListening = onShared((topic, value) => {
    if (topic.startsWith("event:")) applyEvent(topic.slice(6), value);
    // This tab's own news arrives here too, when it is so already.
    if (topic === "locked") {
      if (value === true) raiseLock({ quiet: true });
      else liftLock({ quiet: true });
    }
    if (topic === "ended" && user.peek()) void checkSession();
  });
  setLockTeller((isLocked) => share("locked", isLocked));
  const stopStream = whenLeading(() =>
    followStream("/api/events/stream", {
      onOpen: () => share("event:stream.open", null),
      onEvent: (event) => share(`event:${event.type}`, event.data),
    }),
  );
  return () => {
    stopStream();
    stopListening();
  };
}

function applyEvent(type: string, data: unknown): void {
  const apps = resource("GET /api/apps");
  if (type === "stream.open" || type === "reset") {
    // Whatever happened while nobody listened is in the lists, not in the stream.
    if (apps.data.peek() !== null) void apps.refresh();
    void resource("GET /api/operations").refresh();
    void resource("GET /api/auth/approve/pending").refresh();
    void resource("GET /api/inbox").refresh();
    return;
  }
  if (type === "inbox.changed") void resource("GET /api/inbox").refresh();
  if (type.startsWith("approval.")) void resource("GET /api/auth/approve/pending").refresh();
  if (type.startsWith("session.")) {
    void checkSession();
    const sessions = resource("GET /api/auth/sessions");
    if (sessions.data.peek() !== null) void sessions.refresh();
    return;
  }
  if (type.startsWith("channel.")) {
    const channels = resource("GET /api/alerting/channels");
    if (channels.data.peek() !== null) void channels.refresh();
    return;
  }
  if (type.startsWith("alert.")) {
    const open = resource("GET /api/alerting/events", openAlerts);
    if (open.data.peek() !== null) void open.refresh();
    return;
  }
  if (type === "operation.changed") {
    if (isOperation(data)) applyOperation(data);
    return;
  }
  if (!isRecord(data)) return;
  if (type === "app.status") applyStatus(data);
  if (type === "app.removed") apps.set((list) => list?.filter((app) => app.id !== data["id"]) ?? null);
  if (type === "runtime.changed" && isRuntime(data["runtime"])) {
    const runtime = data["runtime"];
    resource("GET /api/system/runtime").set(() => runtime);
  }
}

function applyStatus(data: Record<string, unknown>): void {
  const apps = resource("GET /api/apps");
  const { id, status } = data;
  if (typeof id !== "string" || !isStatus(status)) return;
  const cause = typeof data["cause"] === "string" ? data["cause"] : null;
  const known = apps.data.peek()?.some((app) => app.id === id) === true;
  const change = <T extends App>(app: T): T => ({ ...app, status, cause });
  apps.set((list) => list?.map((app) => (app.id === id ? change(app) : app)) ?? null);
  const detail = resource("GET /api/apps/{id}", { path: { id } });
  detail.set((app) => (app === null ? null : change(app)));
  if (detail.data.peek() !== null) void detail.refresh();
  if (!known || status === "running" || status === "error") void apps.refresh();
}

function applyOperation(operation: Operation): void {
  const operations = resource("GET /api/operations");
  operations.set((list) => {
    const others = list?.filter((item) => item.id !== operation.id) ?? [];
    return [operation, ...others];
  });
  if (operation.status === "running") return;
  play(operation.status === "failed" ? "bad" : "done");
  void resource("GET /api/apps").refresh();
  const trash = resource("GET /api/apps/trash");
  if (trash.data.peek() !== null) void trash.refresh();
}

const statuses = new Set(
  "installing running stopped starting stopping updating rolling_back degraded error uninstalling".split(" "),
);

function isStatus(value: unknown): value is AppStatus {
  return typeof value === "string" && statuses.has(value);
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["status"] === "string";
}

function isRuntime(value: unknown): value is Runtime {
  return isRecord(value) && typeof value["state"] === "string";
}
