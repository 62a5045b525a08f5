import { useSignal } from "@preact/signals";
import type { ClusterLink, ClusterNode, Topology } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { Card } from "../../../../kit/card.tsx";
import { Glyph } from "../../../../kit/status.tsx";
import { DataTable } from "../../../../kit/table.tsx";
import { statusLook } from "../../fleet/health.ts";
import { nodePath } from "../../fleet/node-row.tsx";
import { linkLook, roleWord, rttText, shortHosts, sortMembers } from "./words.ts";

const worst = ["down", "degraded", "up"];
const mostLinks = 200;

/** Every member with its role, state and distance; those who need a look first. */
export function MembersCard({ topology }: { topology: Topology }) {
  const { nodes, links } = topology;
  return (
    <Card w={12} title="Members" aside={`${nodes.length.toLocaleString("en")} in all`} class="memberscard">
      <DataTable
        label="Members of the cluster"
        rows={sortMembers(nodes)}
        keyOf={({ key }) => key}
        columns={[
          { id: "host", title: "Host", cell: (node) => <Host node={node} /> },
          {
            id: "status",
            title: "Status",
            cell: ({ status }) => (
              <span class="state">
                <Glyph state={statusLook(status).state} />
                {statusLook(status).word}
              </span>
            ),
          },
          { id: "role", title: "Role", cell: ({ role }) => roleWord(role) },
          { id: "ip", title: "Address", wide: true, cell: ({ wg_ip }) => wg_ip ?? "–" },
          { id: "here", title: "Enrolled here", wide: true, cell: ({ managed }) => (managed ? "Yes" : "No") },
          { id: "rtt", title: "Round trip", number: true, wide: true, cell: ({ rtt_ms }) => rttText(rtt_ms) },
        ]}
      />
      <LinksTwin links={links} nodes={nodes} />
    </Card>
  );
}

function Host({ node }: { node: ClusterNode }) {
  if (node.id === null) return <span class="host">{node.host}</span>;
  return (
    <a class="host" href={nodePath(node.id)}>
      {node.host}
    </a>
  );
}

/** The lines of the picture as a table, made when it is opened: the worst first. */
function LinksTwin({ links, nodes }: { links: readonly ClusterLink[]; nodes: readonly ClusterNode[] }) {
  const open = useSignal(false);
  if (links.length === 0) return null;
  const short = shortHosts(nodes.map(({ host }) => host));
  const hosts = new Map(nodes.map(({ key, host }) => [key, short.get(host) ?? host]));
  const rows = open.value
    ? links.toSorted((a, b) => worst.indexOf(a.state) - worst.indexOf(b.state)).slice(0, mostLinks)
    : [];
  return (
    <details class="twin clustertwin" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>Links as a table</summary>
      {rows.length > 0 && (
        <DataTable
          label="Links between members"
          compact
          rows={rows}
          keyOf={({ from, to }) => `${from} ${to}`}
          columns={[
            { id: "from", title: "From", cell: ({ from }) => hosts.get(from) ?? from },
            { id: "to", title: "To", cell: ({ to }) => hosts.get(to) ?? to },
            {
              id: "state",
              title: "State",
              cell: ({ state }) => (
                <span class="state">
                  <Glyph state={linkLook(state).state} />
                  {linkLook(state).word}
                </span>
              ),
            },
            { id: "rtt", title: "Round trip", number: true, cell: ({ rtt_ms }) => rttText(rtt_ms) },
          ]}
        />
      )}
      {links.length > mostLinks && (
        <p class="t13 c3">
          The worst {mostLinks} of {links.length.toLocaleString("en")}.
        </p>
      )}
    </details>
  );
}
