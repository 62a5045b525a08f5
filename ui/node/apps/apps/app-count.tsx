import { Badge } from "../../../kit/status.tsx";
import { useResource } from "../../client/resource.ts";

/** How many apps there are; in red how many of them have failed. */
export function AppCount() {
  const apps = useResource("GET /api/apps").data.value ?? [];
  const broken = apps.filter((app) => app.status === "error").length;
  if (broken > 0) return <Badge tone="crit">{broken}</Badge>;
  return apps.length === 0 ? null : <Badge>{apps.length}</Badge>;
}
