import { useState } from "preact/hooks";
import { clock, day } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import type { EnrollToken, TokenEntry } from "../../client/types.ts";
import { ManyDialog } from "./many-dialog.tsx";

/** Lines that bring in many servers: those that are still good, and the way to make and to take back one. */
export function ManyServers({ pattern }: { pattern: EnrollToken }) {
  const tokens = useResource("GET /api/fleet/tokens");
  const [isMaking, setMaking] = useState(false);
  const revoke = async ({ id, name }: TokenEntry): Promise<void> => {
    try {
      await api("DELETE /api/fleet/tokens/{id}", { path: { id } });
      toast(`Nobody gets in with ${name} any more.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void tokens.refresh();
  };
  return (
    <Card
      title="Many servers"
      aside="one line for all of them"
      actions={
        <Button size="sm" icon="plus" onClick={() => setMaking(true)}>
          New line
        </Button>
      }
    >
      <Loaded of={tokens} what="Lines">
        {({ tokens: all }) => <List tokens={all.filter(({ max_uses }) => max_uses > 1)} onRevoke={revoke} />}
      </Loaded>
      {isMaking && (
        <ManyDialog pattern={pattern} onMade={() => void tokens.refresh()} onClose={() => setMaking(false)} />
      )}
    </Card>
  );
}

function List({ tokens, onRevoke }: { tokens: TokenEntry[]; onRevoke: (token: TokenEntry) => Promise<void> }) {
  if (tokens.length === 0) {
    return <p class="card-b t13 c3">A line that works several times, for a rack, an image or a script.</p>;
  }
  return (
    <ul class="lines">
      {tokens.map((token) => (
        <li key={token.id} class="row">
          <span class="col">
            <span class="cut w5">{token.name}</span>
            <span class="t12 c3">
              {token.uses} of {token.max_uses.toLocaleString("en")} used, good until {until(token)}
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
