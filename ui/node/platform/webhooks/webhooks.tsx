import { useState } from "preact/hooks";
import type { Webhook, WebhookCreated, WebhookHealth } from "../../../../src/node/platform/webhooks/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Switch } from "../../../kit/choice.tsx";
import { Glyph, Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { CreateDialog } from "./create-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { deliveryVerdict, eventsText, splitUrl, verdictOf } from "./words.ts";

const refreshMs = 10_000;

/** Programs that are told what happens here, and whether they hear it. */
export function Webhooks() {
  const webhooks = useResource("GET /api/webhooks");
  const health = useResource("GET /api/webhooks/health", { everyMs: refreshMs });
  const [layer, open] = useState<"create" | WebhookCreated | null>(null);
  useWish("webhook", () => open("create"));
  const refresh = async (): Promise<void> => {
    await Promise.all([webhooks.refresh(), health.refresh()]);
  };
  const add = (
    <Button kind="primary" icon="plus" onClick={() => open("create")}>
      Add webhook
    </Button>
  );
  return (
    <div class="page">
      <header class="head">
        <h1>Webhooks</h1>
        {(health.data.value?.length ?? 0) > 0 && <span class="btns push">{add}</span>}
      </header>
      <SettingsTabs />
      <div class="card webhooklist">
        <Loaded of={health} what="Webhooks" skeleton={<Skeleton rows={3} />}>
          {(states) => (
            <Loaded of={webhooks} what="Webhooks" skeleton={<Skeleton rows={3} />}>
              {(list) =>
                list.length === 0 ? (
                  <EmptyState title="No webhooks" action={add}>
                    A webhook tells another program, such as Home Assistant, n8n or your own script, what happens here.
                  </EmptyState>
                ) : (
                  <List list={list} states={states} refresh={refresh} />
                )
              }
            </Loaded>
          )}
        </Loaded>
      </div>
      {layer === "create" && (
        <CreateDialog
          onClose={() => open(null)}
          onMade={(made) => {
            open(made);
            void refresh();
          }}
        />
      )}
      {layer !== null && layer !== "create" && (
        <SecretDialog title={splitUrl(layer.url).host} secret={layer.secret} onClose={() => open(null)} />
      )}
    </div>
  );
}

function List({ list, states, refresh }: { list: Webhook[]; states: WebhookHealth[]; refresh: () => Promise<void> }) {
  const healthOf = (webhook: Webhook) => states.find(({ id }) => id === webhook.id);
  const change = async (webhook: Webhook, active: boolean): Promise<void> => {
    try {
      await api("PUT /api/webhooks/{id}", { path: { id: webhook.id }, body: { active } });
      toast(active ? "The webhook is on." : "The webhook is off.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await refresh();
  };
  return (
    <DataTable
      label="Webhooks"
      rows={list}
      keyOf={(webhook) => webhook.id}
      columns={[
        { id: "url", title: "Address", cell: (webhook) => <Address webhook={webhook} /> },
        { id: "events", title: "Hears of", wide: true, cell: ({ events }) => eventsText(events) },
        {
          id: "state",
          title: "State",
          cell: (webhook) => {
            const { state, word, why } = verdictOf(webhook, healthOf(webhook));
            return (
              <span class="col">
                <Status state={state}>{word}</Status>
                {why !== null && <span class="t12 c3 no-sm">{why}</span>}
              </span>
            );
          },
        },
        {
          id: "last",
          title: "Last delivery",
          wide: true,
          cell: (webhook) => <Last of={healthOf(webhook)} />,
        },
        {
          id: "active",
          title: "Active",
          number: true,
          cell: (webhook) => (
            <Switch
              checked={webhook.active}
              disabled={healthOf(webhook)?.may_change !== true}
              onChecked={(active) => void change(webhook, active)}
            >
              <span class="sr">{splitUrl(webhook.url).host} is told of events</span>
            </Switch>
          ),
        },
      ]}
    />
  );
}

function Address({ webhook }: { webhook: Webhook }) {
  const { host, rest } = splitUrl(webhook.url);
  return (
    <a class="col main-link address" href={`/webhooks/${webhook.id}`}>
      <span class="title host cut">{host}</span>
      {rest !== "" && <span class="t12 c3 mono cut">{rest}</span>}
    </a>
  );
}

function Last({ of }: { of: WebhookHealth | undefined }) {
  const last = of?.last_delivery ?? null;
  if (last === null) return <span class="c3">None</span>;
  const at = last.last_attempt?.at ?? last.created_at;
  const { state, word } = deliveryVerdict(last);
  return (
    <span class="row" data-tip={`${word}, ${moment(at)}`}>
      <Glyph state={state} />
      <span>
        {last.type}, {ago(at)}
      </span>
      <span class="sr">{word}</span>
    </span>
  );
}
