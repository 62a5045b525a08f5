import type { AppCost, CostSummary } from "../../../../src/node/monitoring/cost/contract.ts";
import { percent } from "../../../client/format.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { money } from "./money.ts";

/** The dearest apps as bars, the dearest first. */
export function TopAppsCard({ summary: { top_apps, currency } }: { summary: CostSummary }) {
  const most = Math.max(0, ...top_apps.map(({ cost }) => cost));
  return (
    <Card title="Dearest apps">
      {top_apps.length === 0 ? (
        <EmptyState title="No app yet" action={<LinkButton href="/store">Open the store</LinkButton>}>
          Each app shows here what it costs.
        </EmptyState>
      ) : (
        <ol class="card-b spenders">
          {top_apps.map((app) => (
            <Spender key={app.app_id} app={app} most={most} currency={currency} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Spender({ app, most, currency }: { app: AppCost; most: number; currency: string }) {
  const parts = [
    { cost: app.cpu_cost, colour: "--c1" },
    { cost: app.memory_cost, colour: "--c3" },
    { cost: app.disk_cost, colour: "--c2" },
  ];
  return (
    <li>
      <p class="row t13">
        {app.installed ? (
          <a class="cut w5" href={`/apps/${app.app_id}`}>
            {app.app_name}
          </a>
        ) : (
          <span class="cut c3">{app.app_name}</span>
        )}
        <span class="push">
          {money(app.cost, currency)} <span class="c3">{percent(app.share_percent)}</span>
        </span>
      </p>
      <span class="spendbar" aria-hidden="true">
        {parts.map(({ cost, colour }) => (
          <i key={colour} style={{ "--k": `var(${colour})`, width: `${most > 0 ? (cost / most) * 100 : 0}%` }} />
        ))}
      </span>
    </li>
  );
}
