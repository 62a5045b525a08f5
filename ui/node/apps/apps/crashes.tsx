import { useEffect } from "preact/hooks";
import type { AppCrash, AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { moment } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { useResource } from "../../client/resource.ts";

const times = (count: number): string => (count === 1 ? "Latest crash" : `Latest ${count} crashes`);

/** How the app crashed before, each with the lines that it wrote last; nothing where it never did. */
export function Crashes({ app }: { app: AppDetail }) {
  const found = useResource("GET /api/apps/{id}/crashes", { path: { id: app.id }, everyMs: 10_000 });
  const { status } = app;
  useEffect(() => void found.refresh(), [found, status]);
  const crashes = found.data.value ?? [];
  if (crashes.length === 0) return null;
  return (
    <Card title={times(crashes.length)}>
      <div class="card-b stack">
        {crashes.map((crash) => (
          <details key={`${crash.at} ${crash.service}`}>
            <summary>
              {moment(crash.at)}: {crash.cause}
            </summary>
            <Words crash={crash} />
          </details>
        ))}
      </div>
    </Card>
  );
}

function Words({ crash }: { crash: AppCrash }) {
  if (crash.lines.length === 0) return <p class="t13 c3">It wrote nothing before that.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the card is read by scrolling, with keys too.
    <section class="lastlines" aria-label={`Last lines of ${crash.service}`} tabIndex={0}>
      {crash.lines.map((line, index) => (
        <p key={`${index} ${line}`}>{line}</p>
      ))}
    </section>
  );
}
