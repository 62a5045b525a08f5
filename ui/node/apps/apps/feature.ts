import type { App, AppStatus } from "../../../../src/node/apps/apps/contract.ts";
import { lazy } from "../../../client/lazy.ts";
import { isRecord } from "../../../client/problem.ts";
import { navigate, path } from "../../../client/router.ts";
import type { Command } from "../../../kit/palette.tsx";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { AppCount } from "./app-count.tsx";

const apps = () => resource("GET /api/apps");

/** The apps that run here. */
export const appsFeature: Feature = {
  screens: [
    {
      id: "apps",
      pattern: "/apps",
      title: "Apps",
      icon: "apps",
      nav: { key: "a", group: "main", order: 20, onPhones: true, badge: AppCount },
      view: lazy(() => import("./apps.tsx").then((module) => module.Apps)),
    },
    {
      id: "app",
      pattern: "/apps/:id",
      title: "App",
      icon: "box",
      parent: "apps",
      view: lazy(() => import("./app.tsx").then((module) => module.AppPage)),
    },
  ],
  commands: { order: 10, use: openCommands },
  reaction: {
    onOpen: () => {
      if (apps().data.peek() !== null) void apps().refresh();
    },
    on: {
      "app.status": applyStatus,
      "app.removed": (data) => {
        if (!isRecord(data) || typeof data["id"] !== "string") return;
        const { id } = data;
        apps().set((list) => list?.filter((app) => app.id !== id) ?? null);
        // Its own page, where that is open, learns by the answer that it is gone.
        if (path.peek() === `/apps/${id}`) void resource("GET /api/apps/{id}", { path: { id } }).refresh();
      },
      "operation.changed": (data) => {
        if (!isRecord(data) || data["status"] === "running") return;
        void apps().refresh();
        const trash = resource("GET /api/apps/trash");
        if (trash.data.peek() !== null) void trash.refresh();
      },
    },
  },
};

function openCommands(): Command[] {
  const list = apps().data.value ?? [];
  return list.map((app) => ({
    id: `app-${app.id}`,
    title:
      list.filter((other) => other.display_name === app.display_name).length > 1
        ? `${app.display_name} (${app.name})`
        : app.display_name,
    words: app.name,
    group: "App",
    icon: app.icon,
    run: () => navigate(`/apps/${app.id}`),
  }));
}

function applyStatus(data: unknown): void {
  if (!isRecord(data)) return;
  const { id, status } = data;
  if (typeof id !== "string" || !isStatus(status)) return;
  const cause = typeof data["cause"] === "string" ? data["cause"] : null;
  const known = apps()
    .data.peek()
    ?.some((app) => app.id === id);
  const change = <T extends App>(app: T): T => ({ ...app, status, cause });
  apps().set((list) => list?.map((app) => (app.id === id ? change(app) : app)) ?? null);
  const detail = resource("GET /api/apps/{id}", { path: { id } });
  detail.set((app) => (app === null ? null : change(app)));
  if (detail.data.peek() !== null) void detail.refresh();
  if (known !== true || status === "running" || status === "error") void apps().refresh();
}

const statuses = new Set(
  "installing running stopped starting stopping updating rolling_back degraded error uninstalling".split(" "),
);

function isStatus(value: unknown): value is AppStatus {
  return typeof value === "string" && statuses.has(value);
}
