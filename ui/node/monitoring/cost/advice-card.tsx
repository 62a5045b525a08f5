import type { CostRecommendations, Recommendation } from "../../../../src/node/monitoring/cost/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Chip, Glyph } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { money } from "./money.ts";

/** What would save money: why, how much, and one way to do it. */
export function AdviceCard() {
  const advice = useResource("GET /api/cost/recommendations", { everyMs: 300_000 });
  return (
    <Card title="What you can save">
      <Loaded of={advice} what="Suggestions" skeleton={<Skeleton rows={3} />}>
        {(data) => (
          <>
            {data.recommendations.length === 0 && <Nothing data={data} />}
            <ul class="rows">
              {data.recommendations.map((one) => (
                <Advice key={one.id} one={one} currency={data.currency} />
              ))}
            </ul>
            {data.insufficient_data.length > 0 && (
              <ul class="card-b notyet">
                {data.insufficient_data.map(({ app_id, app_name, reason }) => (
                  <li key={app_id} class="row">
                    <Glyph state="unknown" />
                    <span>
                      {app_name}: {reason}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Nothing({ data }: { data: CostRecommendations }) {
  if (data.insufficient_data.length > 0) return null;
  return (
    <p class="card-b row t13">
      <Glyph state="ok" />
      <span>Every app that runs is used and has about the memory that it needs.</span>
    </p>
  );
}

function Advice({ one, currency }: { one: Recommendation; currency: string }) {
  const { title, reason, saving_per_month, coverage_percent, how_to_apply } = one;
  const { text, commands, path } = how_to_apply;
  return (
    <li class="suggestion">
      <p class="row">
        <span class="w6">{title}</span>
        <span class="push">
          <Chip state="ok">{money(saving_per_month, currency)} a month</Chip>
        </span>
      </p>
      <p class="t13 c3">
        {reason} Measured {coverage_percent.toFixed(0)}% of that time.
      </p>
      <p class="t13">{text}</p>
      {path !== null ? (
        <p>
          <LinkButton size="sm" href={path}>
            Open {one.app_name}
          </LinkButton>
        </p>
      ) : (
        commands.map((command) => <CodeLine key={command} text={command} />)
      )}
    </li>
  );
}
