import type { Topology } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { LinkButton } from "../../../../kit/button.tsx";
import { EmptyState } from "../../../../kit/card.tsx";
import { Copy } from "../../../../kit/copy.tsx";
import { Chip } from "../../../../kit/status.tsx";
import { Loaded } from "../../../../parts/loaded.tsx";
import { useCrumb } from "../../../../shell/title.ts";
import { useChanges } from "../../../client/changes.ts";
import { useResource } from "../../../client/resource.ts";
import { ClusterPicture } from "./cluster-picture.tsx";
import { MembersCard } from "./cluster-tables.tsx";
import { explanationOf, healthLook, rttText, verdictOf } from "./words.ts";

const changesMs = 5000;

/** One cluster: whether it is well, who leads it, who belongs to it, and how they reach each other. */
export function ClusterPage({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const topology = useResource("GET /api/fleet/clusters/{id}/topology", { path: { id }, everyMs: 20_000 });
  useChanges("fleet", topology.refresh, changesMs);
  useCrumb(topology.data.value?.name ?? null);
  return (
    <div class="page">
      <Loaded of={topology} what="This cluster" missing={<Gone />}>
        {(data) => (
          <>
            <ClusterHead topology={data} />
            <div class="grid12">
              <MembersCard topology={data} />
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

/** There never was such a cluster, or none of its members is enrolled any more. */
function Gone() {
  return (
    <EmptyState
      page
      title="There is no such cluster"
      action={<LinkButton href="/clusters">See all clusters</LinkButton>}
    >
      No server of this workspace reports to be in it. It may have been dissolved, or belong to another workspace.
    </EmptyState>
  );
}

function ClusterHead({ topology }: { topology: Topology }) {
  const { cluster_id, name, health, nodes, mesh_rtt_ms, apps, client_name, raft } = topology;
  const look = healthLook(health);
  const online = nodes.filter(({ status }) => status === "online").length;
  return (
    <section class="hero clusterhero" aria-labelledby="verdict">
      <div class="say">
        <p class="row t13 c2">
          <Chip state={look.state}>{look.word}</Chip>
          <span class="cut">{client_name === null ? name : `${name}, ${client_name}`}</span>
        </p>
        <h1 class="verdict" id="verdict">
          {verdictOf(topology)}
        </h1>
        <p class="lede c2">{explanationOf(topology)}</p>
        <dl class="deltas">
          <Figure title="Members" value={nodes.length.toLocaleString("en")} />
          <Figure title="Online" value={online.toLocaleString("en")} />
          <Figure title="Round trip" value={rttText(mesh_rtt_ms)} />
          <Figure title="Apps" value={apps.toLocaleString("en")} />
          {raft.term !== null && <Figure title="Term" value={raft.term.toLocaleString("en")} />}
        </dl>
        <p class="row t13 c3">
          Id <Copy text={cluster_id} quiet />
        </p>
      </div>
      <ClusterPicture topology={topology} />
    </section>
  );
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <b>{value}</b>
      </dd>
    </div>
  );
}
