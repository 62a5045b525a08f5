import { count } from "../../../client/format.ts";
import { Banner } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { useResource } from "../../client/resource.ts";

/** Whether every entry still fits the one before it: what was written cannot be changed unnoticed. */
export function ChainState() {
  const check = useResource("GET /api/audit/check");
  const found = check.data.value;
  if (found === null) {
    return (
      <p class="t13 c3">
        {check.problem.value === null
          ? "Checking the log…"
          : `The log could not be checked: ${check.problem.value.message}`}
      </p>
    );
  }
  if (found.ok)
    return <Status state="ok">Unbroken: {count(found.entries, "entry", "entries")}, each sealed by the next</Status>;
  return (
    <Banner state="crit">
      {found.broken_at === null
        ? "The newest entries are missing. Somebody has cut the log."
        : `The log was changed at entry ${found.broken_at}. What is older is sound, what is newer may not be.`}
    </Banner>
  );
}
