import { query } from "../../../client/router.ts";
import { Banner } from "../../../kit/card.tsx";
import { prefetchTimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { NoNodes } from "../fleet/no-nodes.tsx";
import { rangeOf } from "../fleet/range-choice.tsx";
import { AlertsCard } from "./alerts-card.tsx";
import { CpuCard, ranges } from "./cpu-card.tsx";
import { Hero } from "./hero.tsx";
import { RegionsCard, ResourcesCard, TopCard } from "./side-cards.tsx";

prefetchTimeChart();

/** How long the server keeps its answer. */
const everyMs = 20_000;
const shown = { top: 6, alerts: 0 };

/** Is the fleet well, where is it not, and how busy is it. */
export function Overview() {
  const overview = useResource("GET /api/fleet/overview", { query: { range: "24h", ...shown }, everyMs });
  const range = rangeOf(query.value.get("range"), ranges, "24h");
  const chart = useResource("GET /api/fleet/overview", { query: { range, ...shown }, everyMs });
  return (
    <div class="page">
      <DiskNotice />
      <Loaded of={overview} what="The overview">
        {(data) =>
          data.totals.total.value === 0 ? (
            <NoNodes>
              One line, copied to a server, is all it takes. How your fleet is, where it runs and how busy it is appears
              here.
            </NoNodes>
          ) : (
            <>
              <Hero overview={data} />
              <div class="grid12">
                <CpuCard of={chart} range={range} />
                <RegionsCard regions={data.regions} newest={data.newest_version} />
                <AlertsCard />
                <div class="sidestack">
                  <ResourcesCard resources={data.resources} />
                  <TopCard nodes={data.top_cpu} />
                </div>
              </div>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

/** Whoever runs the panel hears of its disk here, before something that they wanted to keep is refused. */
function DiskNotice() {
  const health = useResource("GET /api/health", { everyMs: 60_000 });
  if (health.data.value?.disk !== "full") return null;
  return (
    <Banner state="crit">
      The disk of this panel is full. What is here can be read, and nothing new is kept until whoever runs the panel has
      freed some space.
    </Banner>
  );
}
