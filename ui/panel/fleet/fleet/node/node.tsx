import { useEffect } from "preact/hooks";
import { navigate } from "../../../../client/router.ts";
import { LinkButton } from "../../../../kit/button.tsx";
import { EmptyState } from "../../../../kit/card.tsx";
import { prefetchTimeChart } from "../../../../kit/time-chart.tsx";
import { Loaded } from "../../../../parts/loaded.tsx";
import { useCrumb } from "../../../../shell/title.ts";
import { here } from "../../../changes/commands/ask.ts";
import { NodeCommands } from "../../../changes/commands/node-commands.tsx";
import { useChanges } from "../../../client/changes.ts";
import { useResource } from "../../../client/resource.ts";
import { NodeDialogs } from "../../fleet-groups/node-dialogs.tsx";
import { StatesCard } from "../../node-states/states-card.tsx";
import { silentFor } from "../columns.ts";
import { AppsCard } from "./apps-card.tsx";
import { FactsCard } from "./facts-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { LastHourCards } from "./last-hour.tsx";
import { NodeHead } from "./node-head.tsx";
import { Notices } from "./notices.tsx";
import { Troubles } from "./troubles.tsx";

prefetchTimeChart();

/** A change may be about any node; in a large fleet most are about others. */
const changesMs = 5000;

/** One node: how it is and why, the last hour and before, its apps, and what is known of it. */
export function NodePage({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const detail = useResource("GET /api/fleet/instances/{id}/detail", { path: { id }, everyMs: 30_000 });
  useChanges("fleet", detail.refresh, changesMs);
  const instance = detail.data.value?.instance ?? null;
  useEffect(() => {
    here.value = instance;
    return () => {
      here.value = null;
    };
  }, [instance]);
  useCrumb(detail.data.value?.instance.hostname ?? null);
  return (
    <div class="page">
      <Loaded of={detail} what="This node" missing={<Gone />}>
        {({ instance, facts, apps, metrics }) => (
          <>
            <NodeHead instance={instance} facts={facts} />
            <div class="troubles">
              <Notices id={id} />
              <Troubles instance={instance} facts={facts} apps={apps} />
            </div>
            <LastHourCards metrics={metrics} instance={instance} age={silentFor(instance, Date.now())} />
            <div class="grid12">
              <HistoryCard id={id} />
              <AppsCard id={id} apps={apps} age={silentFor(instance, Date.now())} />
              <FactsCard instance={instance} facts={facts} />
              <NodeCommands node={instance} />
              <StatesCard id={id} />
            </div>
          </>
        )}
      </Loaded>
      <NodeDialogs onDone={() => void detail.refresh()} onDeleted={() => navigate("/fleet", { replace: true })} />
    </div>
  );
}

/** There never was such a node, or it was deleted. */
function Gone() {
  return (
    <EmptyState page title="There is no such node" action={<LinkButton href="/fleet">See all nodes</LinkButton>}>
      It may have been deleted, or belong to another workspace.
    </EmptyState>
  );
}
