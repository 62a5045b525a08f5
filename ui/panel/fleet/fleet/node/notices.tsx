import type { NodeNotice } from "../../../../../src/panel/fleet/node-notices/contract.ts";
import { ago, count, duration, moment } from "../../../../client/format.ts";
import { asProblem } from "../../../../client/problem.ts";
import { Button } from "../../../../kit/button.tsx";
import { Banner } from "../../../../kit/card.tsx";
import { Copy } from "../../../../kit/copy.tsx";
import { toast } from "../../../../kit/toasts.ts";
import { api } from "../../../client/api.ts";
import { may } from "../../../client/permissions.ts";
import { useResource } from "../../../client/resource.ts";

/** What somebody must look at about a node, until one who may change it says that they know. */
export function Notices({ id }: { id: string }) {
  const notices = useResource("GET /api/fleet/instances/{id}/notices", { path: { id }, everyMs: 60_000 });
  const putAway = async (notice: NodeNotice): Promise<void> => {
    try {
      await api("POST /api/fleet/notices/{id}/acknowledge", { path: { id: notice.id } });
      toast("Put away. The audit log keeps it.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await notices.refresh();
  };
  const list = (notices.data.value?.notices ?? []).toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const ahead = notices.data.value?.clock_ahead_seconds ?? null;
  return (
    <>
      {list.map((notice) => (
        <Banner
          key={notice.id}
          state={notice.kind === "moved" ? "warn" : "crit"}
          action={
            may("fleet:write") && (
              <Button size="sm" onClick={() => void putAway(notice)}>
                It was us
              </Button>
            )
          }
        >
          <b class="w6">{titles[notice.kind]}</b> <Told notice={notice} /> {steps[notice.kind]}
        </Banner>
      ))}
      {ahead !== null && (
        <Banner state="warn" action={<Copy text={timeCommand} label="Copy the command" />}>
          <b class="w6">
            Its clock is {duration(Math.abs(ahead))} {ahead > 0 ? "ahead" : "behind"}.
          </b>{" "}
          Sign-ins from here and its certificate depend on it. Turn on time synchronisation on the server:{" "}
          <code>{timeCommand}</code>
        </Banner>
      )}
    </>
  );
}

const timeCommand = "timedatectl set-ntp true";
/** The worst first. */
const order: readonly NodeNotice["kind"][] = ["taken_over", "hardware_changed", "moved"];

const titles: Record<NodeNotice["kind"], string> = {
  taken_over: "Another machine has taken this node’s place.",
  moved: "This node came back from another machine.",
  hardware_changed: "This node runs on other hardware than before.",
};

/** One next step for each kind of notice; whoever may not put it away is told whom to ask. */
const steps: Record<NodeNotice["kind"], string> = {
  taken_over: "If nobody of you moved it, delete the node: its certificate stops working at once.",
  moved: "If nobody of you moved it, delete the node: its certificate stops working at once.",
  hardware_changed:
    "If nobody of you changed the machine, its certificate was copied: delete the node, and enrol it again.",
};

function Told({ notice: { kind, address, at, times } }: { notice: NodeNotice }) {
  const what = kind === "hardware_changed" ? "It said so" : "It enrolled with a valid line";
  return (
    <span>
      {what}{" "}
      <time dateTime={at} data-tip={moment(at)}>
        {ago(at)}
      </time>
      {address !== null && ` from ${address}`}
      {times > 1 && `, ${count(times, "time", "times")} in all`}.
    </span>
  );
}
