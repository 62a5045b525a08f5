import { useState } from "preact/hooks";
import { clock, day } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import type { Resource } from "../../../client/resource.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import type { TokenEntry } from "../../client/types.ts";
import { ManyDialog } from "./many-dialog.tsx";

/** Every line that still lets somebody in, the way to take one back, and the way to make one for many servers. */
export function Lines({
  tokens,
  onMade,
  onRevoked,
}: {
  tokens: Resource<{ tokens: TokenEntry[] }>;
  /** A line for many servers was made at this moment. */
  onMade: (at: string) => void;
  onRevoked: (id: string) => void;
}) {
  const [isMaking, setMaking] = useState(false);
  const revoke = async ({ id, name }: TokenEntry): Promise<void> => {
    try {
      await api("DELETE /api/fleet/tokens/{id}", { path: { id } });
      onRevoked(id);
      toast(`Nobody gets in with ${name} any more.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void tokens.refresh();
  };
  const made = (at: string): void => {
    onMade(at);
    void tokens.refresh();
  };
  return (
    <Card
      title="Lines that let servers in"
      actions={
        <Button size="sm" icon="plus" onClick={() => setMaking(true)}>
          Add line
        </Button>
      }
    >
      <Loaded of={tokens} what="Lines">
        {({ tokens: all }) => <List tokens={all} onRevoke={revoke} />}
      </Loaded>
      {isMaking && <ManyDialog onMade={made} onClose={() => setMaking(false)} />}
    </Card>
  );
}

function List({ tokens, onRevoke }: { tokens: TokenEntry[]; onRevoke: (token: TokenEntry) => Promise<void> }) {
  if (tokens.length === 0) {
    return (
      <p class="card-b t13 c3">
        No line is good at the moment. A new one may work several times, for a rack, an image or a script.
      </p>
    );
  }
  return (
    <ul class="lines">
      {tokens.map((token) => (
        <li key={token.id} class="row">
          <span class="col">
            <span class="cut w5">{token.name}</span>
            <span class="t12 c3">
              {token.max_uses === 1
                ? "For one server"
                : `${token.uses.toLocaleString("en")} of ${token.max_uses.toLocaleString("en")} used`}
              , good until {until(token)}
              {token.tags.length > 0 && `, tagged ${token.tags.join(", ")}`}
            </span>
          </span>
          <IconButton
            icon="trash"
            size="sm"
            class="push"
            label={`Take ${token.name} back`}
            onClick={() => void onRevoke(token)}
          />
        </li>
      ))}
    </ul>
  );
}

function until({ expires_at }: TokenEntry): string {
  return `${day(expires_at)}, ${clock(Date.parse(expires_at))}`;
}
