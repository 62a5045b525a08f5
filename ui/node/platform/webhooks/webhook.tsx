import { useState } from "preact/hooks";
import type { SecretRotated, Webhook, WebhookHealth } from "../../../../src/node/platform/webhooks/contract.ts";
import { moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button, IconButton, LinkButton } from "../../../kit/button.tsx";
import { Banner, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Chip } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { EventsDialog } from "./events-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { eventsText, splitUrl, verdictOf } from "./words.ts";

const refreshMs = 5_000;
/** Most receivers have answered by then. */
const answeredMs = 1_000;

/** One webhook: how it is doing, what it was sent and what came back. */
export function WebhookPage({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const webhooks = useResource("GET /api/webhooks");
  const health = useResource("GET /api/webhooks/health", { everyMs: refreshMs });
  const found = webhooks.data.value?.find((webhook) => webhook.id === id);
  useCrumb(found ? splitUrl(found.url).host : null);
  const refresh = async (): Promise<void> => {
    await Promise.all([webhooks.refresh(), health.refresh()]);
  };
  return (
    <div class="page">
      <Loaded of={health} what="This webhook" skeleton={<Skeleton rows={4} height={400} />}>
        {(states) => (
          <Loaded of={webhooks} what="This webhook" skeleton={<Skeleton rows={4} height={400} />}>
            {(list) => {
              const webhook = list.find((item) => item.id === id);
              if (webhook === undefined) return <Gone />;
              return <Body webhook={webhook} health={states.find((state) => state.id === id)} refresh={refresh} />;
            }}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}

function Gone() {
  return (
    <EmptyState
      page
      title="This webhook is not here any more"
      action={<LinkButton href="/webhooks">All webhooks</LinkButton>}
    >
      It was deleted, or the address is wrong.
    </EmptyState>
  );
}

interface BodyProps {
  webhook: Webhook;
  health: WebhookHealth | undefined;
  refresh: () => Promise<void>;
}

type Layer = "events" | "rotate" | "delete" | SecretRotated;

function Body({ webhook, health, refresh }: BodyProps) {
  const [layer, open] = useState<Layer | null>(null);
  const [sent, setSent] = useState(0);
  const close = (): void => open(null);
  const { host, rest } = splitUrl(webhook.url);
  const path = { id: webhook.id };
  const attempt = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await work();
      toast(done);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await refresh();
  };
  const change = (active: boolean): Promise<void> =>
    attempt(
      () => api("PUT /api/webhooks/{id}", { path, body: { active } }),
      active ? "The webhook is on." : "The webhook is off.",
    );
  const test = (): Promise<void> =>
    attempt(async () => {
      await api("POST /api/webhooks/{id}/test", { path });
      setSent((count) => count + 1);
      setTimeout(() => void refresh(), answeredMs);
    }, "A test is on its way.");
  const takeOver = (): Promise<void> =>
    attempt(() => api("POST /api/webhooks/{id}/take-over", { path }), "The webhook is yours, and on again.");
  const { state, word, why } = verdictOf(webhook, health);
  const isPaused = webhook.active && health?.paused === true;
  const mayChange = health?.may_change === true;
  const wasSwitchedOff = health !== undefined && health.off_reason !== null;
  return (
    <div class="stack">
      <header class="head">
        <div class="col address">
          <span class="row">
            <h1 class="cut">{host}</h1>
            <Chip state={state}>{word}</Chip>
          </span>
          {rest !== "" && <span class="t13 c3 mono cut">{rest}</span>}
          <span class="t13 c2 cut">Hears of: {eventsText(webhook.events)}</span>
        </div>
        {mayChange && (
          <span class="btns push">
            {!isPaused && (
              <Button icon="play" onClick={() => void test()}>
                Send a test
              </Button>
            )}
            <Menu
              label="More for this webhook"
              trigger={(props) => <IconButton {...props} icon="more" label="More for this webhook" />}
              items={[
                { label: "Choose events", icon: "filter", run: () => open("events") },
                {
                  label: webhook.active ? "Switch off" : "Switch on",
                  icon: webhook.active ? "pause" : "play",
                  run: () => void change(!webhook.active),
                },
                { label: "New secret", icon: "key", run: () => open("rotate") },
                { label: "Delete", icon: "trash", danger: true, run: () => open("delete") },
              ]}
            />
          </span>
        )}
      </header>
      {!mayChange && <p class="t13 c3">Somebody else added this webhook. They or an admin can change it.</p>}
      {wasSwitchedOff && (
        <Banner
          state="crit"
          action={
            mayChange && (
              <Button size="sm" onClick={() => void change(true)}>
                Switch on again
              </Button>
            )
          }
        >
          Switched off {health.off_at === null ? "" : moment(health.off_at)}. {why} Events since then were not kept for
          it
          {health.pending > 0 ? `; ${health.pending} from before are sent when it is on again` : ""}.
        </Banner>
      )}
      {isPaused && (
        <Banner
          state="warn"
          action={
            isAdmin() && (
              <Button size="sm" onClick={() => void takeOver()}>
                Take over
              </Button>
            )
          }
        >
          Paused: its maker may not have webhooks any more, so nothing is sent. An admin takes it over or deletes it.
        </Banner>
      )}
      {!wasSwitchedOff && !isPaused && state !== "ok" && why !== null && <Banner state="warn">{why}</Banner>}
      {health?.previous_secret_until != null && (
        <p class="t13 c3">
          The secret before the last change signs as well until {moment(health.previous_secret_until)}.
        </p>
      )}
      <DeliveriesCard
        webhookId={webhook.id}
        mayChange={mayChange && health?.paused !== true}
        reloadKey={sent}
        onChanged={() => void refresh()}
      />
      {layer === "events" && (
        <EventsDialog
          webhook={webhook}
          onClose={close}
          onChanged={() => {
            close();
            void refresh();
          }}
        />
      )}
      {layer === "rotate" && (
        <ConfirmDanger
          title="Make a new secret?"
          typed={null}
          action="Make new secret"
          onConfirm={async () => open(await api("POST /api/webhooks/{id}/rotate-secret", { path }).finally(refresh))}
          onClose={close}
        >
          Receivers that check <code class="mono">X-Service-Signature</code> need the new one at once. Receivers that
          use Standard Webhooks have 24 hours: until then both secrets sign.
        </ConfirmDanger>
      )}
      {layer === "delete" && (
        <ConfirmDanger
          title={`Delete the webhook to ${host}?`}
          typed={null}
          action="Delete webhook"
          onConfirm={async () => {
            await api("DELETE /api/webhooks/{id}", { path });
            navigate("/webhooks");
            await refresh();
          }}
          onClose={close}
        >
          Nothing more is sent there, and its log goes too. To keep both for later, switch it off instead.
        </ConfirmDanger>
      )}
      {layer !== null && typeof layer === "object" && (
        <SecretDialog title={host} secret={layer.secret} previousUntil={layer.previous_until} onClose={close} />
      )}
    </div>
  );
}
