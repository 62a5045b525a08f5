/** Prometheus: how the panel as a whole is, for scrapers that hold its token. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { PROMETHEUS_TYPE, writeMeasures } from "../../../kernel/prometheus.ts";
import { createCached } from "../../../lib/cached.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import { seconds } from "../../../lib/duration.ts";
import type { PanelBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { fail, prometheusRoutes } from "./contract.ts";

export const prometheusFeature = defineFeature({ name: "prometheus", errors: fail.table });

/** Whoever asks more often than a scraper does gets the same figures. */
const KEEP_MS = seconds(5);

export function createPrometheus({ config, clock, version, lists }: PanelBase): Part {
  const startedAt = clock.monotonic();
  const text = createCached(clock, KEEP_MS, async () => {
    const found = await Promise.all(lists.measures.all().map((read) => read()));
    const { rss } = process.memoryUsage();
    return writeMeasures([
      {
        name: "orrery_panel_info",
        help: "The running program",
        type: "gauge",
        figures: [{ labels: { version }, value: 1 }],
      },
      {
        name: "orrery_panel_uptime_seconds",
        help: "Since the program started",
        type: "gauge",
        figures: [{ value: Math.floor((clock.monotonic() - startedAt) / 1000) }],
      },
      {
        name: "orrery_panel_resident_memory_bytes",
        help: "Memory of the program",
        type: "gauge",
        figures: [{ value: rss }],
      },
      ...found.flat(),
    ]);
  });
  return {
    feature: prometheusFeature,
    routes: [
      bindRoutes(prometheusRoutes, {
        async "GET /api/prometheus"({ request }) {
          if (config.metrics_token === "") throw fail("metrics_off");
          const given = /^bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1]?.trim() ?? "";
          if (!constantTimeEqual(given, config.metrics_token)) throw fail("metrics_token_wrong");
          const headers = { "content-type": PROMETHEUS_TYPE, "cache-control": "no-store" };
          return new Response(await text.get(), { headers });
        },
      }),
    ],
  };
}
