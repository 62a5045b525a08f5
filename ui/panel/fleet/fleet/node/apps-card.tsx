import type { InstanceApp } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { bytesText, percent } from "../../../../client/format.ts";
import { Card, EmptyState } from "../../../../kit/card.tsx";
import { Glyph } from "../../../../kit/status.tsx";
import { DataTable } from "../../../../kit/table.tsx";
import { may } from "../../../client/permissions.ts";
import { appLook } from "./app-look.ts";

/** What runs on the node, as its last report says; `age` is how old that is when the node is silent. A name leads to its log. */
export function AppsCard({ id, apps, age }: { id: string; apps: readonly InstanceApp[]; age: string | null }) {
  const running = apps.filter(({ status }) => status === "running").length;
  const count = `${running} of ${apps.length} running`;
  return (
    <Card
      w={8}
      class={`appscard ${age === null ? "" : "past"}`}
      title="Apps"
      aside={apps.length === 0 ? undefined : age === null ? count : `${count} when it last reported, ${age} ago`}
    >
      {apps.length === 0 ? (
        <EmptyState title="No apps">What is installed on this server appears here with its next report.</EmptyState>
      ) : (
        <DataTable
          label="Apps"
          rows={[...apps]}
          keyOf={(app) => app.app_id}
          columns={[
            {
              id: "name",
              title: "Name",
              cell: (app) => (
                <span class="state">
                  <Glyph state={age === null ? appLook(app.status).state : "unknown"} />
                  {may("fleet:write") ? (
                    <a class="host" href={`/nodes/${id}/logs?app=${encodeURIComponent(app.name)}`}>
                      {app.name}
                    </a>
                  ) : (
                    <span class="host">{app.name}</span>
                  )}
                </span>
              ),
            },
            { id: "state", title: "State", cell: (app) => appLook(app.status).word },
            {
              id: "image",
              title: "Image",
              wide: true,
              cell: (app) => (
                <code class="appimage cut c2" title={app.image}>
                  {app.image}
                </code>
              ),
            },
            {
              id: "cpu",
              title: "Processor",
              number: true,
              cell: (app) => (app.cpu_percent === null ? "–" : percent(app.cpu_percent)),
            },
            {
              id: "memory",
              title: "Memory",
              number: true,
              cell: (app) => (app.mem_bytes === null ? "–" : bytesText(app.mem_bytes, "memory")),
            },
            { id: "restarts", title: "Restarts", number: true, wide: true, cell: (app) => app.restart_count },
          ]}
        />
      )}
    </Card>
  );
}
