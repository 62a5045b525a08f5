import { Badge } from "../../../kit/status.tsx";
import { useResource } from "../../client/resource.ts";

/** How many nodes there are; in red how many of them are offline. */
export function NodeCount() {
  const summary = useResource("GET /api/fleet/summary", { everyMs: 30_000 }).data.value;
  if (summary === null || summary.total_instances === 0) return null;
  if (summary.offline > 0) {
    return (
      <Badge tone="crit">
        {summary.offline.toLocaleString("en")}
        <span class="sr"> offline</span>
      </Badge>
    );
  }
  return <Badge>{summary.total_instances.toLocaleString("en")}</Badge>;
}
