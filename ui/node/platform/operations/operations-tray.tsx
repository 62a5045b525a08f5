import type { Operation } from "../../../../src/node/platform/operations/contract.ts";
import { ago } from "../../../client/format.ts";
import { navigate } from "../../../client/router.ts";
import { Popover } from "../../../kit/menu.tsx";
import { Progress, Ring } from "../../../kit/progress.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { useResource } from "../../client/resource.ts";

/** Running work, from any page; gone when nothing runs and nothing failed lately. */
export function OperationsTray() {
  const all = useResource("GET /api/operations").data.value ?? [];
  const running = all.filter((operation) => operation.status === "running");
  const recent = all.filter(isRecent).slice(0, 4);
  const first = running[0];
  if (first === undefined && recent.length === 0) return null;
  const label =
    first === undefined
      ? "Recent work"
      : running.length === 1
        ? first.title
        : `${first.title} and ${running.length - 1} more`;
  return (
    <Popover
      role="dialog"
      label="Running and recent work"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          class="btn ghost ops"
          aria-label={first === undefined ? "Recent work" : `Running: ${label}`}
        >
          {first === undefined ? (
            <Glyph state={recent[0] === undefined ? "ok" : stateOf(recent[0])} />
          ) : (
            <Ring value={first.percent} />
          )}
          <span class="t13 w5 cut no-sm">{label}</span>
        </button>
      )}
    >
      {(close) => (
        <ul class="tray">
          {[...running, ...recent].map((operation) => (
            <li key={operation.id}>
              {operation.kind.startsWith("app") ? (
                <button
                  type="button"
                  onClick={() => {
                    close();
                    navigate(`/apps/${operation.subject_id}`);
                  }}
                >
                  <OperationRow operation={operation} />
                </button>
              ) : (
                // Work on what has no page of its own.
                <p class="line">
                  <OperationRow operation={operation} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

/** Finished within the last quarter of an hour. */
function isRecent(operation: Operation): boolean {
  return operation.finished_at !== null && Date.now() - Date.parse(operation.finished_at) < 900_000;
}

const STATES: Record<Operation["status"], State> = { running: "busy", done: "ok", failed: "crit" };

/** Somebody ended it: nothing went wrong. */
const isCancelled = ({ error }: Operation): boolean => error?.code.endsWith("_cancelled") === true;

function stateOf(operation: Operation): State {
  if (isCancelled(operation)) return "off";
  return STATES[operation.status];
}

function endOf(operation: Operation): string {
  if (isCancelled(operation)) return "Cancelled";
  return operation.status === "failed" ? "Failed" : "Done";
}

function OperationRow({ operation }: { operation: Operation }) {
  return (
    <>
      <Glyph state={stateOf(operation)} />
      <span class="col">
        <span class="cut">{operation.title}</span>
        {operation.status === "running" ? (
          <Progress value={operation.percent} label={operation.title} />
        ) : (
          <span class="t12 c3 cut">
            {endOf(operation)} {ago(operation.finished_at ?? operation.started_at)}
          </span>
        )}
      </span>
      {operation.percent !== null && operation.status === "running" && (
        <span class="t12 c3">{Math.round(operation.percent)}%</span>
      )}
    </>
  );
}
