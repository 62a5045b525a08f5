import type { AppEvents } from "../contract.ts";
import type { Death } from "../state.ts";
import type { AppRow } from "../store.ts";
import type { SeenService } from "./observe-app.ts";

/** What there is to tell of a service that came down; null when somebody stopped it or its end is its success. */
export function unexpectedEnd(
  app: Pick<AppRow, "id" | "name">,
  { before, now, observed }: SeenService,
  deaths: ReadonlyMap<string, Death>,
): AppEvents["app.service_ended"] | null {
  if (observed.wasStopped) return null;
  const death = deaths.get(now.container_id ?? "");
  const exit_code = death?.exit_code ?? now.exit_code;
  if (observed.isOneShot && exit_code === 0) return null;
  const known = before?.container_id === now.container_id ? before.restarts : 0;
  return {
    app_id: app.id,
    name: app.name,
    service: now.name,
    restarts: Math.max(0, now.restarts - known),
    exit_code,
    is_oom: now.oom_killed === 1 || death?.is_oom === true,
  };
}
