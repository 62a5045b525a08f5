import { Badge } from "../../../kit/status.tsx";
import { useResource } from "../../client/resource.ts";

/** How many alerts nobody has; notes are not counted. */
export function AlertCount() {
  const open = useResource("GET /api/fleet/alerts/groups", { everyMs: 30_000 }).data.value?.open;
  const count = open === undefined ? 0 : open.critical + open.warning;
  if (open === undefined || count === 0) return null;
  return (
    <Badge tone={open.critical > 0 ? "crit" : ""}>
      {count.toLocaleString("en")}
      <span class="sr"> that nobody has</span>
    </Badge>
  );
}
