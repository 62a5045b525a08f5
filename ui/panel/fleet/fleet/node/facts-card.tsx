import type { ComponentChildren } from "preact";
import type { Instance, NodeFactSheet } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { bytesText, day, moment } from "../../../../client/format.ts";
import { Button } from "../../../../kit/button.tsx";
import { Card } from "../../../../kit/card.tsx";
import { Glyph } from "../../../../kit/status.tsx";
import { may } from "../../../client/permissions.ts";
import { hasClients } from "../../fleet-groups/clients.ts";
import { ask } from "../../fleet-groups/node-dialogs.tsx";
import { clusterPath } from "../../fleet-overview/clusters/words.ts";
import { certificateWords } from "../health.ts";

/** What the node is, and what people have said about it. */
export function FactsCard({ instance, facts }: { instance: Instance; facts: NodeFactSheet }) {
  const certificate = certificateWords(facts.certificate_expires_at, Date.now());
  const { group, cluster } = facts;
  return (
    <Card w={4} title="Facts">
      <div class="card-b">
        <dl class="dl factslist">
          <Fact title="System">{system(facts)}</Fact>
          <Fact title="Processor">{processor(facts)}</Fact>
          <Fact title="Memory">{facts.memory_bytes === null ? null : bytesText(facts.memory_bytes, "memory")}</Fact>
          <Fact title="Disk">{facts.disk_bytes === null ? null : bytesText(facts.disk_bytes)}</Fact>
          <Fact title="Started">{facts.boot_time === null ? null : moment(facts.boot_time)}</Fact>
          <Fact title="Addresses">{[...new Set(facts.ip_addresses)].join(", ") || null}</Fact>
          <Fact title="Public address">{facts.public_ip}</Fact>
          <Fact title="Provider">{facts.cloud_provider}</Fact>
          <Editable title="Region" what="region" instance={instance}>
            {facts.region === null
              ? null
              : `${facts.region}${instance.region_source === "auto" ? ", found by itself" : ""}`}
          </Editable>
          {(hasClients() || facts.tenant !== null) && (
            <Editable title="Client" what="client" instance={instance}>
              {facts.tenant === null ? null : (
                <a class="link" href={`/fleet?tenant=${encodeURIComponent(facts.tenant.id)}`}>
                  {facts.tenant.name ?? facts.tenant.id}
                </a>
              )}
            </Editable>
          )}
          <Editable title="Group" what="group" instance={instance}>
            {group === null ? null : (
              <a class="link" href={`/fleet?group=${encodeURIComponent(group.name)}`}>
                {group.name}
              </a>
            )}
          </Editable>
          <Editable title="Tags" what="tags" instance={instance}>
            {instance.tags.join(", ") || null}
          </Editable>
          <Fact title="Cluster">
            {cluster === null ? null : (
              <>
                <a class="link" href={clusterPath(cluster.id)}>
                  {cluster.name}
                </a>
                , {cluster.role}
              </>
            )}
          </Fact>
          <Fact title="Agent">
            <Glyph state={facts.agent_connected ? "ok" : "off"} />
            {facts.agent_version}, {facts.agent_connected ? "connected" : "not connected"}
          </Fact>
          <Fact title="Certificate">
            {certificate !== null && <Glyph state={certificate.state} />}
            <span data-tip={`Until ${day(facts.certificate_expires_at)}`}>{certificate?.text ?? "–"}</span>
          </Fact>
          <Fact title="Plan">{facts.license_plan}</Fact>
          <Fact title="Enrolled">{day(facts.registered_at)}</Fact>
        </dl>
      </div>
    </Card>
  );
}

function system({ os, kernel }: NodeFactSheet): string | null {
  return [os, kernel === null ? null : `kernel ${kernel}`].filter((part) => part !== null).join(", ") || null;
}

function processor({ cpu_model: model, cpu_cores: cores }: NodeFactSheet): string | null {
  const count = cores === null ? null : `${cores} ${cores === 1 ? "core" : "cores"}`;
  return [model, count].filter((part) => part !== null).join(", ") || null;
}

/** A fact; one that the node does not tell is left out. */
function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  if (children === null) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface EditableProps {
  title: string;
  what: "region" | "client" | "group" | "tags";
  instance: Instance;
  children: ComponentChildren;
}

function Editable({ title, what, instance, children }: EditableProps) {
  return (
    <>
      <dt>{title}</dt>
      <dd class="editable">
        <span class="cut">{children ?? "–"}</span>
        {may("fleet:write") && (
          <Button kind="ghost" size="sm" onClick={() => ask(what, [instance])}>
            Edit<span class="sr"> {title.toLowerCase()}</span>
          </Button>
        )}
      </dd>
    </>
  );
}
