import type { Instance, NodeFactSheet } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { ago, duration, moment } from "../../../../client/format.ts";
import { Button, IconButton, LinkButton } from "../../../../kit/button.tsx";
import { Menu } from "../../../../kit/menu.tsx";
import { Chip } from "../../../../kit/status.tsx";
import { may } from "../../../client/permissions.ts";
import { openNode } from "../../oauth/open-node.ts";
import { silentFor } from "../columns.ts";
import { statusLook } from "../health.ts";
import { nodeItems } from "../row-menu.tsx";

/** Name, state, where it is, and what can be done with it. */
export function NodeHead({ instance, facts }: { instance: Instance; facts: NodeFactSheet }) {
  const look = statusLook(instance.status);
  const items = nodeItems(instance);
  const place = [instance.region, instance.zone].filter((part) => part !== null).join(", ");
  // The same words as on the cards below.
  const silent = silentFor(instance, Date.now());
  const isUp = instance.health !== "offline";
  return (
    <header class="nodehead">
      <div class="col">
        <div class="row wraps">
          <h1>{instance.hostname}</h1>
          <Chip state={look.state}>{look.word}</Chip>
          {instance.tags.map((tag) => (
            <a key={tag} class="chip" href={`/fleet?tag=${encodeURIComponent(tag)}`}>
              {tag}
            </a>
          ))}
        </div>
        <p class="facts">
          {facts.tenant !== null && <span>{facts.tenant.name ?? facts.tenant.id}</span>}
          <span>{place === "" ? "No region" : place}</span>
          {instance.ip_address !== null && <span>{instance.ip_address}</span>}
          {isUp && instance.uptime_seconds !== null && <span>Up {duration(instance.uptime_seconds)}</span>}
          <span>
            {instance.last_heartbeat === null ? (
              "Never reported"
            ) : (
              <time dateTime={instance.last_heartbeat} data-tip={moment(instance.last_heartbeat)}>
                Reported {silent === null ? ago(instance.last_heartbeat) : `${silent} ago`}
              </time>
            )}
          </span>
        </p>
      </div>
      {items.length > 0 && (
        <span class="btns">
          {may("fleet:shell", { ownRole: true }) && (
            <LinkButton icon="terminal" href={`/nodes/${instance.id}/terminal`}>
              Terminal
            </LinkButton>
          )}
          <LinkButton icon="logs" href={`/nodes/${instance.id}/logs`}>
            Logs
          </LinkButton>
          <Button kind="primary" icon="external" disabled={!isUp} onClick={() => void openNode(instance.id)}>
            Open this server
          </Button>
          <Menu
            label={`Actions for ${instance.hostname}`}
            trigger={(props) => (
              <IconButton {...props} kind="default" icon="more" label={`Actions for ${instance.hostname}`} />
            )}
            items={items.filter(({ label }) => label !== "Open this server" && label !== "Logs")}
          />
        </span>
      )}
    </header>
  );
}
