import { useState } from "preact/hooks";
import type { DeliveryDetail } from "../../../../src/node/platform/webhooks/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { Drawer } from "../../../kit/dialog.tsx";
import { Glyph, Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { deliveryVerdict } from "./words.ts";

const refreshMs = 2_000;

/** One delivery: what was sent, every try and what came back; it can be sent again. */
export function DeliveryDrawer({
  webhookId,
  mayChange,
  id,
  onClose,
  onSent,
}: {
  webhookId: string;
  mayChange: boolean;
  id: string;
  onClose: () => void;
  onSent: () => void;
}) {
  const path = { id: webhookId, did: id };
  const delivery = useResource("GET /api/webhooks/{id}/deliveries/{did}", { path, everyMs: refreshMs });
  const [busy, setBusy] = useState(false);
  const again = async (): Promise<void> => {
    setBusy(true);
    try {
      await api("POST /api/webhooks/{id}/deliveries/{did}/retry", { path });
      toast("On its way again.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await delivery.refresh();
    setBusy(false);
    onSent();
  };
  return (
    <Drawer
      title={delivery.data.value?.type ?? "Delivery"}
      sub={delivery.data.value?.event_id}
      onClose={onClose}
      foot={
        mayChange ? (
          <Button
            class="push"
            icon="restart"
            busy={busy}
            disabled={delivery.data.value === null}
            onClick={() => void again()}
          >
            {delivery.data.value?.status === "pending" ? "Send now" : "Send again"}
          </Button>
        ) : undefined
      }
    >
      <Loaded of={delivery} what="This delivery" skeleton={<Skeleton rows={5} />}>
        {(detail) => <Detail delivery={detail} />}
      </Loaded>
    </Drawer>
  );
}

function Detail({ delivery }: { delivery: DeliveryDetail }) {
  const { state, word } = deliveryVerdict(delivery);
  const { next_attempt_at: next } = delivery;
  const body = pretty(delivery.request_body);
  return (
    <div class="stack">
      <dl class="dl">
        <dt>Status</dt>
        <dd>
          <Glyph state={state} />
          {word}
        </dd>
        <dt>Happened</dt>
        <dd>{moment(delivery.created_at)}</dd>
        {next !== null && (
          <>
            <dt>Next try</dt>
            <dd>{moment(next)}</dd>
          </>
        )}
      </dl>
      <section class="stack tight">
        <div class="row">
          <h3 class="w6 t14">Request</h3>
          <span class="push">
            <Copy text={delivery.request_body} label="Copy as sent" />
          </span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard. */}
        <pre class="code snippet" tabIndex={0}>
          {body}
        </pre>
      </section>
      <section class="stack tight">
        <h3 class="w6 t14">Tries</h3>
        {delivery.tries.length === 0 && <p class="c3">None yet.</p>}
        {delivery.tries.toReversed().map((attempt) => (
          <div class="stack tight try" key={attempt.number}>
            <div class="row t13">
              <Status state={attempt.error === null ? "ok" : "crit"}>
                {attempt.status_code === null ? "No reply" : `Reply ${attempt.status_code}`}
              </Status>
              <span class="c3">{attempt.duration_ms}&nbsp;ms</span>
              <span class="push c3" data-tip={moment(attempt.at)}>
                {ago(attempt.at)}
              </span>
            </div>
            {attempt.error !== null && <p class="t13 c2">{attempt.error}</p>}
            {attempt.reply !== null && attempt.reply !== "" && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard.
              <pre class="code snippet" tabIndex={0}>
                {attempt.reply}
              </pre>
            )}
          </div>
        ))}
      </section>
    </div>
  );
}

/** JSON with line breaks; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
