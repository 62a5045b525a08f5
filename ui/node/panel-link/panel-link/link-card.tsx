import { useState } from "preact/hooks";
import type { PanelStatus } from "../../../../src/node/panel-link/panel-link/contract.ts";
import { ago, day, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { endedWords, peopleWords, phases, plans } from "./words.ts";

/** The link as it stands, and the two things to do about it. */
export function LinkCard({ status, onChanged }: { status: PanelStatus; onChanged: () => Promise<void> }) {
  const [leaving, setLeaving] = useState(false);
  const tryNow = async (): Promise<void> => {
    try {
      await api("POST /api/cp/heartbeat");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await onChanged();
  };
  const leave = async (): Promise<void> => {
    const { ended } = await api("POST /api/cp/disconnect");
    setLeaving(false);
    toast(`This server belongs to no panel any more.${endedWords(ended)}`);
    await onChanged();
  };
  return (
    <Card title="Connection" w={7}>
      <div class="card-b stack">
        <Facts status={status} />
        <div class="btns">
          {status.panel_url !== null && (
            <LinkButton href={status.panel_url} icon="external" external>
              Open the panel
            </LinkButton>
          )}
          {status.phase === "retrying" && (
            <Button icon="restart" onClick={() => void tryNow()}>
              Try now
            </Button>
          )}
          <Button kind="danger" onClick={() => setLeaving(true)}>
            Disconnect
          </Button>
        </div>
      </div>
      {leaving && (
        <ConfirmDanger
          title="Disconnect from the panel?"
          typed={null}
          action="Disconnect"
          onConfirm={leave}
          onClose={() => setLeaving(false)}
        >
          <div class="stack">
            <p>
              Its certificate and secret are deleted on this server, and the plan is that of this server’s own
              configuration again. The panel keeps showing it as offline until it is deleted there too.
            </p>
            {status.people > 0 && (
              <p>
                {peopleWords(status.people)} What they made stays: files, apps, and accounts that they added for others.
              </p>
            )}
          </div>
        </ConfirmDanger>
      )}
    </Card>
  );
}

function Facts({ status }: { status: PanelStatus }) {
  const { state, word } = phases[status.phase];
  const { instance_id: id, last_heartbeat_at: heard, next_try_at: next, connected_since: since } = status;
  return (
    <dl class="dl">
      <dt>State</dt>
      <dd>
        <Glyph state={state} />
        {word}
      </dd>
      <dt>Panel</dt>
      <dd>{status.panel_url ?? status.agent_url}</dd>
      <dt>Last heartbeat</dt>
      <dd>{heard === null ? "None yet" : <span data-tip={moment(heard)}>{ago(heard)}</span>}</dd>
      {status.phase === "retrying" && next !== null && (
        <>
          <dt>Next try</dt>
          <dd>{moment(next)}</dd>
        </>
      )}
      {since !== null && (
        <>
          <dt>Connected since</dt>
          <dd>{moment(since)}</dd>
        </>
      )}
      {status.certificate_expires_at !== null && (
        <>
          <dt>Certificate until</dt>
          <dd>
            {status.certificate_ends_soon && <Glyph state="warn" />}
            {day(status.certificate_expires_at)}
          </dd>
        </>
      )}
      <dt>Plan</dt>
      <dd>
        {plans[status.plan]}
        {status.license_in_grace && ", license ended"}
      </dd>
      {id !== null && (
        <>
          <dt>Name on the panel</dt>
          <dd class="linkname">
            <Copy text={id} label="Copy the name" quiet />
          </dd>
        </>
      )}
    </dl>
  );
}
