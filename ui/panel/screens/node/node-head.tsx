import type { Instance, InstanceApp, NodeFactSheet } from "../../../../src/panel/features/fleet/contract.ts";
import { ago, duration, moment } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Chip } from "../../../kit/status.tsx";
import { openNode } from "../actions/open-node.ts";
import { nodeItems } from "../fleet/row-menu.tsx";
import { certificateWords, reasonWords, statusLook } from "../health.ts";
import { appLook } from "./app-look.ts";

/** Name, state, where it is, and what can be done with it. */
export function NodeHead({ instance, facts }: { instance: Instance; facts: NodeFactSheet }) {
  const look = statusLook(instance.status);
  const items = nodeItems(instance);
  const place = [instance.region, instance.zone].filter((part) => part !== null).join(", ");
  const isUp = instance.health !== "offline";
  return (
    <header class="nodehead">
      <div class="col">
        <div class="row wraps">
          <h1>{instance.hostname}</h1>
          <Chip state={look.state}>{look.word}</Chip>
          {instance.tags.map((tag) => (
            <a key={tag} class="chip" href={`/fleet?q=${encodeURIComponent(tag)}`}>
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
                Reported {ago(instance.last_heartbeat)}
              </time>
            )}
          </span>
        </p>
      </div>
      {items.length > 0 && (
        <span class="btns">
          <Button kind="primary" icon="external" disabled={!isUp} onClick={() => void openNode(instance.id)}>
            Open this server
          </Button>
          <Menu
            label={`Actions for ${instance.hostname}`}
            trigger={(props) => (
              <IconButton {...props} kind="default" icon="more" label={`Actions for ${instance.hostname}`} />
            )}
            items={items.filter(({ label }) => label !== "Open this server")}
          />
        </span>
      )}
    </header>
  );
}

interface TroublesProps {
  instance: Instance;
  facts: NodeFactSheet;
  apps: readonly InstanceApp[];
}

/** Why the node is not well, in words, and a certificate that is about to end. Nothing for a node without trouble. */
export function Troubles({ instance, facts, apps }: TroublesProps) {
  const failed = apps.filter(({ status }) => appLook(status).isFailed).map(({ name }) => name);
  const reasons = instance.degraded_reasons.map((reason) => reasonWords(reason, instance, failed).long);
  const certificate = certificateWords(facts.certificate_expires_at, Date.now());
  const isWarned = certificate !== null && certificate.state !== "ok";
  if (reasons.length === 0 && !isWarned) return null;
  return (
    <div class="troubles">
      {reasons.length > 0 && (
        <Banner state={instance.health === "offline" ? "crit" : "warn"}>
          <span class="reasons">
            {reasons.map((reason) => (
              <span key={reason}>{reason}.</span>
            ))}
          </span>
        </Banner>
      )}
      {isWarned && (
        <Banner state={certificate.state === "crit" ? "crit" : "warn"}>
          Certificate: {certificate.text.charAt(0).toLowerCase() + certificate.text.slice(1)}.
          {certificate.state === "warn" &&
            " A node renews it by itself while it can reach this panel; this one has not."}
        </Banner>
      )}
    </div>
  );
}
