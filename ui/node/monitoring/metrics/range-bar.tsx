import { useState } from "preact/hooks";
import { setQuery } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { locale } from "../../../kit/locale.ts";
import { SpanDialog } from "./span-dialog.tsx";
import { partQuery, ranges, stepOf, type View } from "./view.ts";

/** Shows the whole range again. */
export const reset = (): void => setQuery({ from: null, to: null }, { isStep: true });

function widthText(stepMs: number): string {
  const minutes = stepMs / 60_000;
  if (minutes < 60) return `1 point = ${minutes} min`;
  return minutes < 1440 ? `1 point = ${minutes / 60} h` : "1 point = 1 day";
}

/** Day and time, and the year where it is another one. */
function momentText(at: number): string {
  const time = new Date(at);
  return time.toLocaleString(locale, {
    ...(time.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }),
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** What is shown, and how to see more, less or another time of it. */
export function RangeBar({ view, compare }: { view: View; compare: { isOn: boolean } | null }) {
  const [isChoosing, choose] = useState(false);
  const spanMs = ranges.find(({ value }) => value === view.range)?.spanMs ?? 0;
  const shown = view.zoom ?? { from: Date.now() - spanMs, to: Date.now() };
  return (
    <div class="rangebar">
      <Segmented
        label="Range"
        value={view.zoom === null ? view.range : null}
        options={ranges.map(({ value, label: name }) => ({ value, label: name }))}
        onValue={(range) => setQuery({ range, from: null, to: null }, { isStep: true })}
      />
      <span class="row spanchoice">
        <Button size="sm" icon="calendar" aria-haspopup="dialog" onClick={() => choose(true)}>
          {momentText(shown.from)} to {view.zoom === null ? "now" : momentText(shown.to)}
          <span class="sr">, choose another time</span>
        </Button>
        {view.zoom !== null && <IconButton size="sm" icon="x" label="Show the whole range" onClick={reset} />}
      </span>
      {compare !== null && (
        <Button
          size="sm"
          kind={compare.isOn ? "default" : "ghost"}
          aria-pressed={compare.isOn}
          {...(compare.isOn ? { icon: "check" } : {})}
          onClick={() => setQuery({ compare: compare.isOn ? null : "day" })}
        >
          Compare with the day before
        </Button>
      )}
      <span class="push t13 c3 no-sm">{widthText(stepOf(view))}, drag to zoom</span>
      {isChoosing && (
        <SpanDialog
          shown={shown}
          onClose={() => choose(false)}
          onPart={(part) => {
            choose(false);
            setQuery(partQuery(part, Date.now()), { isStep: true });
          }}
        />
      )}
    </div>
  );
}
