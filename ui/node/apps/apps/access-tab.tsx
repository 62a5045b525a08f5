import type { AppDetail, AppPort } from "../../../../src/node/apps/apps/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Chip, Glyph } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { isAdmin } from "../../client/session.ts";
import { isOnServer, reachOf } from "./app-state.ts";
import { FirstVisitCard } from "./first-run.tsx";

const isLocal = ({ bind }: AppPort): boolean => bind.startsWith("127.") || bind === "::1";

/** Who can reach an app, where, and what the first visit needs. */
export function AccessTab({ app }: { app: AppDetail }) {
  const reach = reachOf(app);
  return (
    <div class="grid12 overview">
      <Card
        title="Where it opens"
        class="w-half"
        foot={
          isAdmin() && (
            <LinkButton size="sm" href={`/apps/${app.id}?tab=settings`}>
              Change who can reach it
            </LinkButton>
          )
        }
      >
        <div class="card-b stack">
          {reach.kind === "open" && (
            <p>
              <a class="link" href={reach.url} target="_blank" rel="noopener">
                {reach.url}
              </a>
            </p>
          )}
          <p class="row t13 c2">
            <Glyph state={reach.kind === "server-only" ? "warn" : "info"} />
            {wordsOf(app, reach.kind)}
          </p>
        </div>
      </Card>
      <Card title="Ports" class="w-half">
        {app.ports.length === 0 ? (
          <EmptyState title="No ports at the moment">It gets its ports when it is started.</EmptyState>
        ) : (
          <DataTable
            label="Ports"
            rows={app.ports}
            keyOf={(port) => `${port.service} ${port.container} ${port.protocol}`}
            columns={[
              { id: "purpose", title: "For", cell: (port) => <span class="cut">{port.purpose || port.service}</span> },
              { id: "host", title: "Port", number: true, cell: (port) => `${port.host}/${port.protocol}` },
              {
                id: "reach",
                title: "Reached from",
                cell: (port) => <Chip>{isLocal(port) ? "this server only" : "your network"}</Chip>,
              },
            ]}
          />
        )}
      </Card>
      <FirstVisitCard app={app} class="w-half" />
    </div>
  );
}

function wordsOf(app: AppDetail, kind: "open" | "server-only" | "none"): string {
  if (kind === "none") return "It has no page to open; programs reach it by its ports.";
  if (kind === "server-only") return "Only this server itself can open it; you are on another machine.";
  const main = app.ports.find(({ host }) => host === app.port);
  if (main === undefined || isLocal(main)) return isOnServer() ? "Only this server itself can open it." : "";
  return "Everybody who can reach this server can open it; whether they must sign in is up to the app.";
}
