import type { HeartbeatInput } from "../../../../shared/agent-protocol/index.ts";
import type { Needs } from "../needs.ts";

export type AppReport = NonNullable<HeartbeatInput["apps"]>[number];

const MAX_APPS = 1_000;
const MAX_IMAGE = 512;

/** Every app with what it uses, as far as it was measured lately. */
export function reportApps({ apps, series }: Pick<Needs, "apps" | "series">): AppReport[] {
  return apps.listFacts(MAX_APPS).map(({ id, name, status, image, restarts }) => {
    const used = series.latest(`app:${id}`)?.values;
    return {
      app_id: id,
      name,
      status,
      image: image.slice(0, MAX_IMAGE),
      cpu_percent: rounded(used?.["cpu_percent"], 10),
      mem_bytes: rounded(used?.["mem_bytes"], 1),
      restart_count: restarts,
    };
  });
}

/** What of it somebody has to hear of at once; figures can wait, but for the first ones. */
export const urgentPart = (apps: readonly AppReport[]): string =>
  JSON.stringify(apps.map(({ cpu_percent, mem_bytes: _, ...rest }) => ({ ...rest, isMeasured: cpu_percent !== null })));

const rounded = (value: number | null | undefined, steps: number): number | null =>
  value === null || value === undefined ? null : Math.round(Math.max(0, value) * steps) / steps;
