import { ago, moment } from "../../../client/format.ts";
import { Glyph } from "../../../kit/status.tsx";
import { CardSkeletons } from "../../../parts/card-skeletons.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { AnomaliesCard } from "./anomalies-card.tsx";
import { CapacityCard } from "./capacity-card.tsx";
import { AppHealthCard, BackupHealthCard } from "./health-cards.tsx";
import { NextHourCard } from "./next-hour-card.tsx";
import { UsualWeekCard } from "./usual-week-card.tsx";
import { verdict } from "./words.ts";

const minuteMs = 60_000;

/** What the server's own record says about the days to come. */
export function Insights() {
  const insights = useResource("GET /api/insights/predictions", { everyMs: 5 * minuteMs });
  const scored = insights.data.value?.scored_at;
  return (
    <div class="page">
      <header class="head">
        <h1>Insights</h1>
        {scored !== undefined && (
          <span class="push t13 c3" data-tip={moment(scored)}>
            scored {ago(scored)}, every hour
          </span>
        )}
      </header>
      <Loaded of={insights} what="Insights" skeleton={<CardSkeletons rows={5} cards={waiting} />}>
        {(all) => {
          const { state, text } = verdict(all);
          return (
            <>
              <p class="row foresight">
                <Glyph state={state} />
                <span>{text}</span>
              </p>
              <div class="columns">
                <div>
                  <CapacityCard insights={all} />
                  <UsualWeekCard />
                  <NextHourCard />
                </div>
                <div>
                  <AppHealthCard insights={all} />
                  <AnomaliesCard insights={all} />
                  <BackupHealthCard insights={all} />
                </div>
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** Widths and heights of the placeholders while the cards load. */
const waiting: [w: number, height: number][] = [
  [8, 260],
  [4, 260],
  [8, 260],
  [4, 260],
];
