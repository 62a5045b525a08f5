import { useState } from "preact/hooks";
import { ago, day } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";
import { useProof } from "../factors/use-proof.tsx";
import type { Token } from "./types.ts";

interface Props {
  tokens: Token[];
  onChanged: () => Promise<void>;
}

/** By what directories prove that they speak for the workspace. */
export function TokensCard({ tokens, onChanged }: Props) {
  const [ended, setEnded] = useState<Token | null>(null);
  const proof = useProof();
  const remove = async ({ id }: Token): Promise<void> => {
    await api("DELETE /api/scim/tokens/{id}", { path: { id } });
    await onChanged();
  };
  const takeOver = async ({ id, name }: Token): Promise<void> => {
    await api("POST /api/scim/tokens/{id}/take-over", { path: { id } });
    toast(`You answer for ${name} now, and its directory is let in.`);
    await onChanged();
  };
  return (
    <Card title="Tokens">
      {tokens.length > 0 && (
        <DataTable
          label="Tokens"
          rows={tokens}
          keyOf={({ id }) => id}
          folds
          columns={[
            {
              id: "name",
              title: "Name",
              cell: ({ name, hint }) => (
                <>
                  <span class="host">{name}</span> <span class="mono c3">…{hint}</span>
                </>
              ),
            },
            { id: "state", title: "State", cell: (token) => <State of={token} /> },
            { id: "ends", title: "Good until", cell: ({ expires_at }) => day(expires_at), wide: true },
            {
              id: "actions",
              title: "",
              cell: (token) => (
                <Menu
                  label={`What to do with ${token.name}`}
                  items={[
                    ...(token.paused || !token.is_answered_for
                      ? [{ label: "Take over", run: () => void proof.run(() => takeOver(token)) }]
                      : []),
                    { label: "Delete", danger: true, run: () => setEnded(token) },
                  ]}
                  trigger={(props) => (
                    <IconButton {...props} icon="more" size="sm" label={`More about ${token.name}`} />
                  )}
                />
              ),
            },
          ]}
        />
      )}
      {tokens.map((token) => (
        <Advice key={token.id} of={token} />
      ))}
      <NewToken isFirst={tokens.length === 0} onChanged={onChanged} />
      {ended !== null && (
        <ConfirmDanger
          title={`Delete ${ended.name}?`}
          typed={null}
          action="Delete the token"
          onConfirm={() => {
            setEnded(null);
            return proof.run(() => remove(ended));
          }}
          onClose={() => setEnded(null)}
        >
          The directory that has it is refused at once. Nobody in the team loses access by that.
        </ConfirmDanger>
      )}
      {proof.dialog}
    </Card>
  );
}

function State({ of: { paused, used_at } }: { of: Token }) {
  if (paused) return <Status state="warn">Paused</Status>;
  if (used_at === null) return <Status state="unknown">Not used yet</Status>;
  return <Status state="ok">Last used {ago(used_at)}</Status>;
}

/** What is to be done about a token; nothing for one that is as it should be. */
function Advice({ of: { name, paused, is_answered_for } }: { of: Token }) {
  if (paused)
    return (
      <p class="card-b c2">
        {name} is paused: whoever answers for it is no owner or admin any more, so its directory is refused. Take it
        over, or delete it.
      </p>
    );
  return is_answered_for ? null : (
    <p class="card-b c2">Nobody is known to answer for {name}, so it makes no admins. Take it over, and it does.</p>
  );
}

function NewToken({ isFirst, onChanged }: { isFirst: boolean; onChanged: () => Promise<void> }) {
  const [name, setName] = useState("");
  const [made, setMade] = useState<string | null>(null);
  const attempt = useAttempt();
  const proof = useProof();
  const besides = attempt.besides("name");
  const send = async (): Promise<void> => {
    const { token } = await api("POST /api/scim/tokens", { body: { name: name.trim(), expires_in_days: 365 } });
    setName("");
    setMade(token);
    await onChanged();
  };
  return (
    <form
      class="card-b stack"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.send(() => proof.tryOut(send));
      }}
    >
      {isFirst && <p class="c2">There is none yet. Make one, and give it to your directory. It is good for a year.</p>}
      <Input
        label="Name of a new token"
        hint="Which directory it is for, such as Entra."
        {...attempt.field("name", name, setName)}
        autocomplete="off"
      />
      {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
      <div class="btns">
        <Button
          type="submit"
          kind={isFirst ? "primary" : "default"}
          icon="plus"
          busy={attempt.busy}
          disabled={name.trim() === "" || attempt.wait > 0}
        >
          Make a token
        </Button>
      </div>
      {made !== null && (
        <ShownOnce title="The token of your directory" label="Token" secret={made} onClose={() => setMade(null)} />
      )}
      {proof.dialog}
    </form>
  );
}
