import type { StartTest } from "../../../../src/node/backups/backups/start-test-contract.ts";
import { ago, moment } from "../../../client/format.ts";
import type { Resource } from "../../../client/resource.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { AppRows } from "./app-rows.tsx";
import { Told } from "./told.tsx";

function stateOf({ outcome, cause, tried_at, answered_at }: StartTest) {
  if (outcome === "answered") return <Told state="ok">{`Started and answered ${ago(answered_at ?? "")}`}</Told>;
  if (outcome === null) return <Told state="warn">Not started yet</Told>;
  const before = answered_at === null ? "" : ` It last answered on ${moment(answered_at)}.`;
  const told = outcome === "failed" ? "Did not start" : "Could not be tried";
  return (
    <Told
      state={outcome === "failed" ? "crit" : "warn"}
    >{`${told} on ${moment(tried_at ?? "")}: ${cause}${before}`}</Told>
  );
}

function describeTests(tests: readonly StartTest[]): string {
  const many = (outcome: StartTest["outcome"]) => tests.filter((test) => test.outcome === outcome).length;
  const parts: [number, string][] = [
    [many("answered"), "started and answered"],
    [many("failed"), "did not start"],
    [many("skipped"), "could not be tried"],
    [many(null), "not started yet"],
  ];
  return parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(", ");
}

/** Whether each app starts from its newest backup and works. */
export function StartTestsCard({
  tests,
  isBusy,
  onTry,
}: {
  tests: Resource<StartTest[]>;
  isBusy: boolean;
  onTry: (app: string) => void;
}) {
  return (
    <Card title="Started from a backup" aside="one app a night">
      <Loaded of={tests} what="Apps that were started from a backup" skeleton={<Skeleton rows={2} />}>
        {(list) => (
          <AppRows words={describeTests(list)} isOpen={list.some(({ outcome }) => outcome === "failed")} of={list}>
            {list.map((test) => (
              <div class="item backuprow" key={test.app}>
                <span class="body">
                  <span class="title cut">{test.name}</span>
                  <span class="sub">{stateOf(test)}</span>
                </span>
                <Button
                  size="sm"
                  disabled={isBusy}
                  aria-label={`Start a copy of ${test.name}`}
                  onClick={() => onTry(test.app)}
                >
                  Start a copy
                </Button>
              </div>
            ))}
          </AppRows>
        )}
      </Loaded>
      <p class="treeway backupfoot t13 c3">
        A copy starts on a network without a way out, without ports, with data of its own, and is removed afterwards.
      </p>
    </Card>
  );
}
