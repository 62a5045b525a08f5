import { useEffect, useState } from "preact/hooks";
import type { Command } from "../../../../src/panel/changes/commands/contract.ts";
import { navigate, query } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { usePaged } from "../../../parts/paged.ts";
import { api } from "../../client/api.ts";
import { askCommand } from "./ask.ts";
import { CommandList } from "./command-list.tsx";
import { isOver } from "./words.ts";

const pageSize = 50;
const lookMs = 5_000;
type Wanted = "" | Command["status"];
const choices: { value: Wanted; label: string }[] = [
  { value: "", label: "All" },
  { value: "queued", label: "Waiting" },
  { value: "running", label: "Running" },
  { value: "failed", label: "Failed" },
  { value: "succeeded", label: "Done" },
];

/** What was sent to nodes and what each made of it, the newest first. */
export function CommandsScreen() {
  const wanted = choices.find(({ value }) => value === query.value.get("status"))?.value ?? "";
  const list = usePaged(wanted, async (last: Command | null) => {
    const { commands } = await api("GET /api/fleet/commands", {
      query: { limit: pageSize, before: last?.id, status: wanted === "" ? undefined : wanted },
    });
    return { rows: commands, hasMore: commands.length === pageSize };
  });
  // Whoever reads older pages is not taken back to the first.
  const [readsOlder, readOlder] = useState<Wanted | null>(null);
  const mayMove = list.rows !== null && readsOlder !== wanted && !list.rows.every(isOver);
  useEffect(() => {
    if (!mayMove) return;
    const timer = setInterval(() => document.visibilityState === "visible" && list.retry(), lookMs);
    return () => clearInterval(timer);
  }, [mayMove, wanted]);
  return (
    <div class="page">
      <header class="head">
        <h1>Commands</h1>
        <span class="btns">
          <span class="no-sm">
            <Button icon="restart" onClick={list.retry}>
              Look again
            </Button>
          </span>
          <Button kind="primary" icon="terminal" onClick={() => askCommand("update", [])}>
            Send a command
          </Button>
        </span>
      </header>
      <Segmented
        label="Which ones"
        value={wanted}
        options={choices}
        onValue={(value) => navigate(value === "" ? "/commands" : `/commands?status=${value}`, { replace: true })}
      />
      <div class="card">
        {list.rows === null && list.problem === null && <Skeleton rows={6} />}
        {list.rows === null && list.problem !== null && (
          <ProblemCard problem={list.problem} what="Commands" retry={list.retry} />
        )}
        {list.rows?.length === 0 && (
          <EmptyState title={wanted === "" ? "Nothing was sent yet" : "Nothing of this kind"}>
            Updates, restarts and programs that somebody starts from here are listed with what each node made of them,
            for 30 days.
          </EmptyState>
        )}
        {list.rows !== null && list.rows.length > 0 && (
          <CommandList commands={list.rows} first="node" onChange={list.retry} />
        )}
        {list.hasMore && (
          <p class="card-f center-row">
            <Button
              size="sm"
              onClick={() => {
                readOlder(wanted);
                list.more();
              }}
            >
              Older
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}
