import type { PlanOverview } from "../../../../src/node/platform/plans/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

/** The plan of this server, what each plan includes, and how it is changed. */
export function Plan() {
  const overview = useResource("GET /api/plans", {});
  return (
    <div class="page">
      <header class="head">
        <h1>Plan</h1>
      </header>
      <SettingsTabs />
      <Loaded of={overview} what="The plan" skeleton={<Skeleton rows={6} />}>
        {(data) => <Overview data={data} />}
      </Loaded>
    </div>
  );
}

function Overview({ data }: { data: PlanOverview }) {
  const { current, plans, apps_installed } = data;
  const limit = plans.find(({ plan }) => plan === current)?.app_limit ?? null;
  const isFromPanel = data.from === "panel";
  return (
    <div class="grid12">
      <Card title="This server" w={12}>
        <div class="card-b plan-now">
          <div class="stack">
            <p class="t22">{planName(current)}</p>
            <p class="c2">
              {isFromPanel
                ? "The panel that this server belongs to decides its plan."
                : "This server belongs to no panel, so its own configuration decides: ORRERY_PLAN."}
            </p>
          </div>
          <div class="stack">
            <p class="row">
              <span>Apps</span>
              <span class="push num">{limit === null ? apps_installed : `${apps_installed} of ${limit}`}</span>
            </p>
            {limit !== null && <Meter value={(apps_installed / limit) * 100} label="Apps installed" tone="acc" />}
          </div>
        </div>
      </Card>
      {plans.map((offer, index) => (
        <Card
          key={offer.plan}
          title={
            <span class="row">
              {planName(offer.plan)}
              {offer.plan === current && <Chip state="acc">This server</Chip>}
            </span>
          }
          w={3}
        >
          <div class="card-b">
            <ul class="plan-has">
              {index > 0 && <Line>{`Everything of ${planName(plans[index - 1]?.plan ?? "")}`}</Line>}
              <Line>{appsLine(offer.app_limit)}</Line>
              {index === 0 && <Line>Monitoring, alerts, disks, forecasts and the timeline</Line>}
              {addedBy(plans, index).map((feature) => (
                <Line key={feature.feature}>{featureLine(feature)}</Line>
              ))}
            </ul>
          </div>
        </Card>
      ))}
      <Card title="How the plan is changed" w={12}>
        <div class="card-b stack">
          <p>
            {isFromPanel
              ? "Change it on the panel. This server learns of it with its next heartbeat; nothing has to be restarted."
              : "Connect this server to a panel: the panel gives its servers their plan, and nothing has to be restarted. On its own, a server has the plan that ORRERY_PLAN names when it starts."}
          </p>
          {isAdmin() && (
            <p>
              <LinkButton href="/panel">{isFromPanel ? "The panel of this server" : "Connect to a panel"}</LinkButton>
            </p>
          )}
        </div>
      </Card>
    </div>
  );
}

function Line({ children }: { children: string }) {
  return (
    <li class="row">
      <Icon name="check" />
      <span>{children}</span>
    </li>
  );
}

type Offer = PlanOverview["plans"][number];

/** The name of a plan, as people write it. */
const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1);

/** What a licensed feature is good for, in one line; its title where this page does not know it yet. */
function featureLine({ feature, title }: Offer["features"][number]): string {
  return (
    {
      predictive_alerting: "Predictive alerting: where processor, memory, disks and network will be in an hour",
      cost_optimization: "Cost: what each app costs at your own rates, and what could be saved",
    }[feature] ?? title
  );
}

/** How many apps a plan may have. */
const appsLine = (limit: number | null): string =>
  limit === null ? "As many apps as you like" : `Up to ${limit} apps`;

/** What a plan has that the one before it has not. */
function addedBy(offers: readonly Offer[], index: number): Offer["features"] {
  const before = new Set(offers[index - 1]?.features.map(({ feature }) => feature));
  return (offers[index]?.features ?? []).filter(({ feature }) => !before.has(feature));
}
