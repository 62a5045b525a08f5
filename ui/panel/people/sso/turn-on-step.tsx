import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { user } from "../../client/session.ts";
import { useProof } from "../factors/use-proof.tsx";
import type { Connector, Connectors } from "./types.ts";

interface Props {
  connector: Connector;
  owners: Connectors["owners"];
  onChanged: () => Promise<void>;
}

const states = {
  off: <Status state="off">Nobody comes in through it</Status>,
  on: <Status state="ok">People can come in through it, and as before</Status>,
  enforced: <Status state="ok">It is the only way in</Status>,
};

/** Whether people come in through it, beside the other ways or by it alone. */
export function TurnOnStep({ connector, owners, onChanged }: Props) {
  const { id, name, state } = connector;
  const attempt = useAttempt();
  const proof = useProof();
  const isOwner = user.value?.role === "org_owner";
  const act = (work: () => Promise<unknown>, done: string): void => {
    const whole = async (): Promise<void> => {
      await work();
      toast(done);
      await onChanged();
    };
    void attempt.send(() => proof.tryOut(whole));
  };
  const path = { id };
  const turnOn = () => act(() => api("POST /api/sso/connectors/{id}/turn-on", { path }), `${name} is on.`);
  const turnOff = () => act(() => api("POST /api/sso/connectors/{id}/turn-off", { path }), `${name} is off.`);
  return (
    <>
      <Card title="Who comes in through it" aside={`${connector.members} so far`}>
        <div class="card-b stack">
          {states[state]}
          <p class="c2">
            Once it is on, the page of signing in leads people with an address at your domain to {name}, and makes them
            members with their role. A session that begins there is good for this workspace, and for a day.
          </p>
          {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
          <div class="btns">
            {state === "off" && (
              <Button kind="primary" busy={attempt.busy} disabled={attempt.wait > 0} onClick={turnOn}>
                Turn on
              </Button>
            )}
            {state !== "off" && (
              <Button
                kind="danger"
                busy={attempt.busy}
                disabled={attempt.wait > 0 || (state === "enforced" && !isOwner)}
                onClick={turnOff}
              >
                Turn off
              </Button>
            )}
          </div>
        </div>
      </Card>
      {state === "on" && (
        <EnforceCard connector={connector} owners={owners} act={act} busy={attempt.busy} isOwner={isOwner} />
      )}
      {state === "enforced" && (
        <Card title="No other way in">
          <div class="card-b stack">
            <p class="c2">Passphrases and passkeys open nothing here, but for the one owner who was chosen.</p>
            <div class="btns">
              <Button busy={attempt.busy} disabled={!isOwner} onClick={turnOn}>
                Let the other ways in again
              </Button>
            </div>
            {!isOwner && <p class="t13 c3">An owner can do that.</p>}
          </div>
        </Card>
      )}
      {proof.dialog}
    </>
  );
}

function EnforceCard({
  connector: { id, name },
  owners,
  act,
  busy,
  isOwner,
}: Pick<Props, "connector" | "owners"> & {
  act: (work: () => Promise<unknown>, done: string) => void;
  busy: boolean;
  isOwner: boolean;
}) {
  const able = owners.filter(({ has_factor }) => has_factor);
  const [chosen, setChosen] = useState(able[0]?.member_id ?? "");
  const body = { break_glass_member_id: chosen };
  return (
    <Card title="Let nobody in another way">
      <div class="card-b stack">
        <p class="c2">
          Passphrases and passkeys open this workspace no more. So that nobody is locked out when the provider fails,
          one owner with a second factor keeps their way in, and an owner has to come in through {name} once before.
        </p>
        {!isOwner && <p class="c2">Only an owner can choose this.</p>}
        {isOwner && able.length === 0 && (
          <p class="c2">
            No owner has a second factor yet. Add one under{" "}
            <a class="link" href="/security">
              Security
            </a>
            .
          </p>
        )}
        {isOwner && able.length > 0 && (
          <>
            <div class="field">
              <p class="label">Who keeps their way in</p>
              <Select
                label="Owner who keeps their way in"
                value={chosen}
                options={able.map(({ member_id, name: person, email }) => ({
                  value: member_id,
                  label: `${person}, ${email}`,
                }))}
                onValue={setChosen}
              />
            </div>
            <div class="btns">
              <Button
                kind="danger"
                icon="lock"
                busy={busy}
                onClick={() =>
                  act(
                    () => api("POST /api/sso/connectors/{id}/enforce", { path: { id }, body }),
                    `${name} is the only way in now.`,
                  )
                }
              >
                Let nobody in another way
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
