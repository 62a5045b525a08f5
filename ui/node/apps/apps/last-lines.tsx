import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { clock } from "../../../client/format.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";

const count = 8;

/** The last words of an app, without leaving the page. */
export function LastLines({ app }: { app: AppDetail }) {
  const log = useResource("GET /api/apps/{id}/logs", {
    path: { id: app.id },
    query: { lines: count },
    everyMs: 10_000,
  });
  return (
    <Card
      title="Last lines of the log"
      actions={
        <LinkButton size="sm" kind="ghost" icon="logs" href={`/apps/${app.id}?tab=logs`}>
          All lines
        </LinkButton>
      }
    >
      <Loaded of={log} what="The log">
        {({ lines }) =>
          lines.length === 0 ? (
            <p class="card-b t13 c3">It has written nothing yet.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the card is read by scrolling, with keys too.
            <section class="lastlines" aria-label="Last lines" tabIndex={0}>
              {lines.slice(-count).map((line, index) => (
                <p key={`${line.at} ${index}`} data-level={line.level}>
                  <time dateTime={line.at}>{clock(Date.parse(line.at))}</time> {line.text}
                </p>
              ))}
            </section>
          )
        }
      </Loaded>
    </Card>
  );
}
