import type { Cluster } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { LinkButton } from "../../../../kit/button.tsx";
import { Card, EmptyState } from "../../../../kit/card.tsx";
import { Glyph } from "../../../../kit/status.tsx";
import { DataTable } from "../../../../kit/table.tsx";
import { Loaded } from "../../../../parts/loaded.tsx";
import { useChanges } from "../../../client/changes.ts";
import { may } from "../../../client/permissions.ts";
import { useResource } from "../../../client/resource.ts";
import { clusterPath, healthLook, sortClusters } from "./words.ts";

const changesMs = 5000;
/** As many as the server lists at once. */
const mostClusters = 1000;

/** Every cluster that servers of the workspace are in; those in trouble first. */
export function ClustersScreen() {
  const clusters = useResource("GET /api/fleet/clusters", { everyMs: 20_000 });
  useChanges("fleet", clusters.refresh, changesMs);
  return (
    <div class="page">
      <Loaded of={clusters} what="Clusters">
        {(data) => (data.length === 0 ? <NoClusters /> : <ClusterList clusters={data} />)}
      </Loaded>
    </div>
  );
}

function ClusterList({ clusters }: { clusters: readonly Cluster[] }) {
  const hasClients = clusters.some(({ client_name }) => client_name !== null);
  return (
    <>
      <header class="head">
        <h1>Clusters</h1>
        <span class="t13 c3">
          {clusters.length >= mostClusters
            ? `The first ${mostClusters.toLocaleString("en")} by name; open others by the address of their page`
            : `${clusters.length.toLocaleString("en")} ${clusters.length === 1 ? "cluster" : "clusters"}`}
        </span>
      </header>
      <Card class="memberscard">
        <DataTable
          label="Clusters"
          rows={sortClusters(clusters)}
          keyOf={({ id }) => id}
          columns={[
            { id: "name", title: "Name", cell: (cluster) => <Name cluster={cluster} /> },
            {
              id: "health",
              title: "Health",
              cell: ({ health }) => (
                <span class="state">
                  <Glyph state={healthLook(health).state} />
                  {healthLook(health).word}
                </span>
              ),
            },
            {
              id: "members",
              title: "Online",
              cell: ({ online_count, node_count }) => `${online_count} of ${node_count}`,
            },
            { id: "leader", title: "Leader", wide: true, cell: ({ primary }) => primary?.host ?? "–" },
            ...(hasClients
              ? [{ id: "client", title: "Client", wide: true, cell: (row: Cluster) => row.client_name ?? "–" }]
              : []),
            { id: "id", title: "Id", wide: true, cell: ({ id }) => <span class="mono c3">{id}</span> },
          ]}
        />
      </Card>
    </>
  );
}

function Name({ cluster }: { cluster: Cluster }) {
  return (
    <a class="host" href={clusterPath(cluster.id)}>
      {cluster.name}
    </a>
  );
}

function NoClusters() {
  return (
    <EmptyState
      page
      title="No server is in a cluster"
      action={
        may("fleet:write") ? (
          <LinkButton href="/enrol" icon="plus">
            Add node
          </LinkButton>
        ) : undefined
      }
    >
      Servers whose containers run in a Docker swarm show up here as one cluster, with who leads it and how they reach
      each other, about a minute after the first of them is enrolled. There is nothing to set up.
    </EmptyState>
  );
}
