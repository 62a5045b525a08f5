import { useState } from "preact/hooks";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { count, megabytes } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { isAdmin } from "../../client/session.ts";
import { isBusy, wantsMemory } from "./app-state.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { ChoicesForm } from "./choices-form.tsx";
import { Secrets } from "./first-run.tsx";
import { LimitsCard } from "./limits-card.tsx";

/** What was chosen: administrators change it, others read it. */
export function ConfigTab({ app }: { app: AppDetail }) {
  if (!isAdmin()) return <Chosen app={app} />;
  return (
    <div class="columns">
      <div>
        <ChoicesForm key={app.id} app={app} />
      </div>
      <div>
        {app.status === "error" && app.installed_at === null && wantsMemory(app) && <LimitsCard app={app} />}
        {app.secrets.length > 0 && <SecretsCard app={app} />}
      </div>
    </div>
  );
}

function Chosen({ app }: { app: AppDetail }) {
  const inputs = Object.entries(app.inputs);
  const limits = Object.entries(app.limits);
  return (
    <div class="grid12 overview">
      <Card title="Settings" class="w-half">
        <div class="card-b">
          {inputs.length === 0 ? (
            <p class="t13 c3">This app asked for nothing.</p>
          ) : (
            <dl class="dl">
              {inputs.map(([key, value]) => (
                <Pair key={key} title={key} value={value === null || value === "" ? "not set" : String(value)} />
              ))}
            </dl>
          )}
        </div>
      </Card>
      <Card title="Ports and limits" class="w-half">
        <div class="card-b">
          <dl class="dl">
            {app.ports.map((port) => (
              <Pair
                key={`${port.service}:${port.container}`}
                title={port.purpose || port.service}
                value={`${port.bind}:${port.host} to ${port.container}`}
              />
            ))}
            {limits.map(([service, limit]) => (
              <Pair
                key={service}
                title={`Limit of ${service}`}
                value={
                  [
                    limit.memory_mb ? megabytes(limit.memory_mb) : null,
                    limit.cpus ? count(limit.cpus, "processor") : null,
                  ]
                    .filter(Boolean)
                    .join(", ") || "none"
                }
              />
            ))}
            {app.ports.length + limits.length === 0 && (
              <Pair title="Ports" value="none, it is not reached from outside" />
            )}
          </dl>
        </div>
      </Card>
    </div>
  );
}

function Pair({ title, value }: { title: string; value: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd data-tip={value}>{value}</dd>
    </>
  );
}

function SecretsCard({ app }: { app: AppDetail }) {
  const [open, setOpen] = useState(false);
  const [renewing, renew] = useState<AppDetail["secrets"][number] | null>(null);
  return (
    <Card title="Secrets" aside="made for this app at install">
      <div class="card-b stack">
        {open ? (
          <Secrets id={app.id} />
        ) : (
          <>
            <p class="t13 c2">
              {app.secrets.map((secret) => secret.label).join(", ")}. Only administrators can see them.
            </p>
            <p>
              <Button size="sm" icon="eye" onClick={() => setOpen(true)}>
                Show secrets
              </Button>
            </p>
          </>
        )}
        <h3 class="sub-h">New values</h3>
        <ul class="rows sep">
          {app.secrets.map((secret) => (
            <li class="item" key={secret.key}>
              <span class="body wraps">
                {secret.label}
                {secret.fixed !== null && <span class="sub">{secret.fixed}</span>}
              </span>
              {secret.fixed === null && (
                <Button
                  size="sm"
                  aria-label={`Renew ${secret.label}`}
                  disabled={isBusy(app)}
                  onClick={() => {
                    setOpen(false);
                    renew(secret);
                  }}
                >
                  Renew
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {renewing !== null && (
        <ChangeDialog app={app} wish={{ secret: renewing }} onClose={() => renew(null)} onDone={() => renew(null)} />
      )}
    </Card>
  );
}
