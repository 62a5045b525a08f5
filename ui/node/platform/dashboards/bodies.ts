import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AppStats } from "../../../../src/node/apps/app-stats/contract.ts";
import type { App } from "../../../../src/node/apps/apps/contract.ts";
import type { Body } from "../../../kit/orbit-layout.ts";
import { appState, isUp } from "../../apps/apps/app-state.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

const stats = signal<ReadonlyMap<string, AppStats>>(new Map());
const everyMs = 15_000;

/** Apps as bodies of the orrery; memory and processor come one app at a time, every 15 s while the page is seen. */
export function useBodies(apps: App[]): Body[] {
  const running = apps.filter(isUp).map((app) => app.id);
  const key = running.join(" ");
  useEffect(() => {
    let stopped = false;
    const load = async (): Promise<void> => {
      for (const id of key.split(" ").filter(Boolean)) {
        if (stopped || document.visibilityState !== "visible") return;
        const found = await api("GET /api/apps/{id}/stats", { path: { id } }).catch(() => null);
        if (found !== null && !stopped) stats.value = new Map(stats.peek()).set(id, found);
      }
    };
    void load();
    const timer = setInterval(() => void load(), everyMs);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, [key]);
  const categories = resource("GET /api/templates/categories").data.value ?? [];
  return apps.map((app) => {
    const known = stats.value.get(app.id);
    return {
      id: app.id,
      name: app.display_name,
      ring: categories.find((category) => category.id === app.category)?.name ?? title(app.category),
      memory: (known?.memory_usage_mb ?? 0) / 1024,
      processor: known?.cpu_percent ?? 0,
      state: appState(app).state,
      href: `/apps/${app.id}`,
    };
  });
}

function title(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
