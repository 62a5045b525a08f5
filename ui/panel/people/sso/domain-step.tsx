import { useState } from "preact/hooks";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Input } from "../../../kit/field.tsx";
import { Chip } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useProof } from "../factors/use-proof.tsx";
import type { Domain } from "./types.ts";

interface Props {
  domains: Domain[];
  onChanged: () => Promise<void>;
  onNext: () => void;
}

/** Which mail addresses are of this workspace, and the proof of it. */
export function DomainStep({ domains, onChanged, onNext }: Props) {
  const [host, setHost] = useState("");
  const attempt = useAttempt();
  const besides = attempt.besides("host");
  const add = (event: Event): void => {
    event.preventDefault();
    void attempt.send(async () => {
      await api("POST /api/domains", { body: { host: host.trim() } });
      setHost("");
      await onChanged();
    });
  };
  return (
    <>
      <Card title="The domain of your mail addresses">
        <form class="card-b stack" onSubmit={add}>
          <p class="c2">
            Whoever has an address there is led to your provider. A record in its DNS proves that it is yours, so that
            nobody else can do that with your people.
          </p>
          <Input
            label="Domain"
            hint="Such as example.org, what comes after the @."
            {...attempt.field("host", host, setHost)}
            autocomplete="off"
          />
          {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
          <div class="btns">
            <Button
              type="submit"
              kind={domains.length === 0 ? "primary" : "default"}
              icon="plus"
              busy={attempt.busy}
              disabled={host.trim() === "" || attempt.wait > 0}
            >
              Add the domain
            </Button>
            {domains.some(({ state }) => state !== "pending") && (
              <Button kind="primary" onClick={onNext}>
                Go on
              </Button>
            )}
          </div>
        </form>
      </Card>
      {domains.map((domain) => (
        <DomainCard key={domain.id} domain={domain} onChanged={onChanged} />
      ))}
    </>
  );
}

const chips = {
  pending: <Chip state="unknown">Not proven yet</Chip>,
  verified: <Chip state="ok">Yours</Chip>,
  failing: <Chip state="warn">The record is gone</Chip>,
};

function DomainCard({ domain, onChanged }: { domain: Domain; onChanged: () => Promise<void> }) {
  const attempt = useAttempt();
  const proof = useProof();
  const { id, host, state, txt_name, txt_value } = domain;
  const verify = async (): Promise<void> => {
    await api("POST /api/domains/{id}/verify", { path: { id } });
    toast(`${host} is yours.`);
    await onChanged();
  };
  const remove = async (): Promise<void> => {
    await api("DELETE /api/domains/{id}", { path: { id } });
    await onChanged();
  };
  return (
    <Card
      class="sign-on-domain"
      title={<span class="sign-on-sent">{host}</span>}
      aside={chips[state]}
      actions={<IconButton icon="trash" label={`Remove ${host}`} size="sm" onClick={() => void proof.run(remove)} />}
    >
      <div class="card-b stack">
        {state === "verified" ? (
          <p class="c2">Leave the record where it is: it is looked for once a day.</p>
        ) : (
          <>
            <p class="c2 sign-on-sent">Add this record of the type TXT where the DNS of {host} is kept, then check.</p>
            <div class="field">
              <p class="label">Name</p>
              <CodeLine text={txt_name} />
            </div>
            <div class="field">
              <p class="label">Value</p>
              <CodeLine text={txt_value} />
            </div>
            {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
            <div class="btns">
              <Button
                kind="primary"
                icon="sync"
                busy={attempt.busy}
                disabled={attempt.wait > 0}
                onClick={() => void attempt.send(verify)}
              >
                Check now
              </Button>
            </div>
          </>
        )}
      </div>
      {proof.dialog}
    </Card>
  );
}
