import type { ComponentChildren } from "preact";
import { Button } from "../kit/button.tsx";
import { Skeleton } from "../kit/card.tsx";
import { type Column, DataTable } from "../kit/table.tsx";
import { ProblemCard } from "./loaded.tsx";
import type { Paged } from "./paged.ts";
import { Refusal } from "./refusal.tsx";

/** A list that grows by pages as a table, with the words for each state it can be in. */
export function PagedTable<T extends { id: string }>({
  label,
  of: { rows, problem, hasMore, more, retry },
  columns,
  empty,
  folds = false,
  next = "Older",
}: {
  /** What it is, for the sentences: "Audit log". */
  label: string;
  of: Paged<T>;
  columns: Column<T>[];
  /** In place of the table when nothing fits. */
  empty: ComponentChildren;
  /** As of `DataTable`. */
  folds?: boolean;
  /** What the button for the next page says. */
  next?: string;
}) {
  if (rows === null && problem !== null) return <ProblemCard problem={problem} what={label} retry={retry} />;
  if (rows === null) return <Skeleton rows={6} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <DataTable label={label} rows={rows} keyOf={(row) => row.id} columns={columns} folds={folds} />
      {problem !== null && (
        <div class="card-b">
          <Refusal problem={problem} />
        </div>
      )}
      {hasMore && (
        <p class="card-f center-row">
          <Button size="sm" onClick={more}>
            {next}
          </Button>
        </p>
      )}
    </>
  );
}
