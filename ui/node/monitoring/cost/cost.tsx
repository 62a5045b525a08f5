import { query, setQuery } from "../../../client/router.ts";
import { Card } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { CardSkeletons } from "../../../parts/card-skeletons.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { Planned } from "../../platform/plans/gated.tsx";
import { AdviceCard } from "./advice-card.tsx";
import { RatesCard } from "./rates-card.tsx";
import { TopAppsCard } from "./top-apps-card.tsx";
import { Totals } from "./totals.tsx";
import { TrendCard } from "./trend-card.tsx";

/** Widths and heights of the placeholders while the cards load. */
const waiting: [w: number, height: number][] = [
  [12, 90],
  [8, 240],
  [4, 240],
];

const offer = {
  title: "Know what each app costs, and what you can save",
  gives: [
    "What this server and each of its apps cost at your own rates, day by day",
    "Which apps nobody uses, and which have more memory than they need",
    "What each advice saves in a month, and how to follow it",
  ],
  instead: { text: "What each app uses right now is part of every plan.", href: "/apps", label: "See the apps" },
};

/** What apps cost at the owner's own rates, and what could be saved; from the pro plan on. */
export function Cost() {
  return (
    <Planned
      feature="cost_optimization"
      offer={offer}
      skeleton={<CardSkeletons rows={3} cards={waiting} />}
      frame={(inside) => (
        <div class="page">
          <header class="head">
            <h1>Cost</h1>
          </header>
          <Card>
            <div class="card-b">{inside}</div>
          </Card>
        </div>
      )}
    >
      <Figures />
    </Planned>
  );
}

function Figures() {
  const summary = useResource("GET /api/cost/summary", { everyMs: 300_000 });
  const period = query.value.get("period") === "30d" ? "30d" : "7d";
  return (
    <div class="page">
      <header class="head">
        <h1>Cost</h1>
        <span class="push">
          <Segmented
            size="sm"
            label="Period"
            value={period}
            options={[
              { value: "7d", label: "7 days" },
              { value: "30d", label: "30 days" },
            ]}
            onValue={(value) => setQuery({ period: value === "7d" ? null : value })}
          />
        </span>
      </header>
      <Loaded of={summary} what="Cost" skeleton={<CardSkeletons rows={3} cards={waiting} />}>
        {(data) => (
          <>
            <Totals summary={data} />
            <div class="columns">
              <div>
                <TrendCard period={period} />
                <AdviceCard />
              </div>
              <div>
                <TopAppsCard summary={data} />
                <RatesCard />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}
