import { useState } from "preact/hooks";
import type { NodeState, RolloutDetail, RolloutNode } from "../../../../src/panel/changes/rollouts/contract.ts";
import { Card } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { nodeWords } from "./words.ts";

/** More rows than this are too much to read, and to draw. */
const rowsMax = 200;
const cellsMax = 2_000;

const order: readonly NodeState[] = [
  ...(["failed", "timed_out", "revert_failed", "dispatched", "reverting", "pending"] as const),
  ...(["skipped_offline", "done", "reverted", "cancelled"] as const),
];
const looks: Record<NodeState, string> = {
  ...{ pending: "wait", dispatched: "up", done: "", failed: "bad", timed_out: "bad", skipped_offline: "gone" },
  ...{ reverting: "up", reverted: "back", revert_failed: "bad", cancelled: "gone" },
};

const columns: Column<RolloutNode>[] = [
  {
    id: "node",
    title: "Node",
    cell: (node) => (
      <a class="cut" href={`/nodes/${node.instance_id}`}>
        {node.hostname}
      </a>
    ),
  },
  { id: "stage", title: "Stage", number: true, cell: (node) => node.stage },
  { id: "version", title: "Runs", wide: true, cell: (node) => node.version ?? "gone" },
  {
    id: "state",
    title: "State",
    cell: (node) => (
      <span class="col">
        <span>{nodeWords[node.state]}</span>
        {node.detail !== null && <span class="t12 c3 detail">{node.detail}</span>}
      </span>
    ),
  },
];

/** The nodes of the rollout as cells or as a table, those in trouble first. */
export function NodeDots({ rollout }: { rollout: RolloutDetail }) {
  const [view, setView] = useState<"cells" | "table">("cells");
  const nodes = (rollout.nodes ?? []).toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const tally = order.flatMap((state) => {
    const number = nodes.filter((node) => node.state === state).length;
    return number === 0 ? [] : [{ state, text: `${number.toLocaleString("en")} ${nodeWords[state]}` }];
  });
  return (
    <Card
      title="Nodes"
      w={8}
      actions={
        <Segmented
          label="Show nodes as"
          size="sm"
          value={view}
          options={[
            { value: "cells", label: "Cells" },
            { value: "table", label: "Table" },
          ]}
          onValue={setView}
        />
      }
    >
      {view === "cells" ? (
        <div class="nodecells" role="img" aria-label={tally.map(({ text }) => text).join(", ")}>
          {nodes.slice(0, cellsMax).map((node) => (
            <i key={node.instance_id} class={looks[node.state]} title={`${node.hostname}: ${nodeWords[node.state]}`} />
          ))}
        </div>
      ) : (
        <DataTable
          label="Nodes"
          rows={nodes.slice(0, rowsMax)}
          keyOf={(node) => node.instance_id}
          columns={columns}
          compact
          folds
        />
      )}
      <p class="keyrow">
        {tally.map(({ state, text }) => (
          <span key={state}>
            <i class={`key ${looks[state]}`} aria-hidden="true" />
            {text}
          </span>
        ))}
        {view === "table" && nodes.length > rowsMax && <span>The first {rowsMax} are shown.</span>}
      </p>
    </Card>
  );
}
