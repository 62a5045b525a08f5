import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Badge, Glyph } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";

const states = { info: "info", warning: "warn", critical: "crit" } as const;

/** What happened to this app and what somebody did to it, newest first. */
export function WhatChanged({ app, limit = 8 }: { app: AppDetail; limit?: number }) {
  const page = useResource("GET /api/timeline", { query: { subject: `app:${app.id}`, limit }, everyMs: 30_000 });
  return (
    <Card title="What changed">
      <Loaded of={page} what="What changed">
        {({ items }) =>
          items.length === 0 ? (
            <p class="card-b t13 c3">Nothing has happened to it yet.</p>
          ) : (
            <ol class="rows sep">
              {items.map((entry) => (
                <li class="item" key={entry.id}>
                  <Glyph state={states[entry.severity]} />
                  <span class="body wraps">{entry.title}</span>
                  {entry.count > 1 && <Badge>{entry.count}×</Badge>}
                  <time class="t12 c3" dateTime={entry.timestamp} data-tip={moment(entry.timestamp)}>
                    {ago(entry.timestamp)}
                  </time>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}
