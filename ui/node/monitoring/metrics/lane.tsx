import type { ComponentChildren } from "preact";
import { Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import type { TimeSeries } from "../../../kit/time-axis.ts";
import { crosshair, TimeChart, TimeLegend } from "../../../kit/time-chart.tsx";
import { mayChangeThings } from "../../client/session.ts";
import { type AlertStart, alertHref } from "./alert-on.ts";

/** All charts of the page point at the same moment. */
export const sheet = "metrics";

export interface LaneProps {
  title: string;
  /** Null while it loads. */
  times: number[] | null;
  series: TimeSeries[];
  format: (value: number) => string;
  max?: number | undefined;
  least?: number;
  /** Counted in powers of two, as memory is. */
  binary?: boolean;
  markers: { t: number; label: string }[];
  onZoom: (fromMs: number, toMs: number) => void;
  onReset: () => void;
  height?: number;
  /** The rule that somebody who looks at this may want. */
  alert?: AlertStart | null;
  /** Shown below the legend. */
  children?: ComponentChildren;
}

/** One row of the sheet: its name and values at the left, the chart at the right. */
export function Lane({
  title,
  times,
  series,
  format,
  max,
  least = 1,
  alert = null,
  children,
  height = 108,
  ...chart
}: LaneProps) {
  return (
    <section class="lane" aria-label={title}>
      <div class="lab">
        <h2>{title}</h2>
        {times !== null && (
          <TimeLegend class="kvs" series={series} times={times} format={format} at={crosshair(sheet)} />
        )}
        {children}
        {alert !== null && mayChangeThings() && (
          <a class="link alerton t13" href={alertHref(alert)}>
            <Icon name="bell" />
            Alert on this
            <span class="sr">: {title}</span>
          </a>
        )}
      </div>
      <div class="fig">
        {times === null ? (
          <Skeleton height={height + 48} />
        ) : series.length === 0 ? (
          <p class="t13 c3 nothing">Nothing was measured in this time.</p>
        ) : (
          <TimeChart
            {...chart}
            label={title}
            times={times}
            series={series}
            format={format}
            least={least}
            height={height}
            sync={sheet}
            legend={false}
            {...(max === undefined ? {} : { max })}
          />
        )}
      </div>
    </section>
  );
}
