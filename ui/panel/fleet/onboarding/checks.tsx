import { useEffect, useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import type { EnrollToken } from "../../client/types.ts";
import { agentAddress, forNetcat } from "./arrival.ts";

/** What to look at when a server does not come: reach, clock, and the line itself. */
export function Checks({ token, onRenew }: { token: EnrollToken; onRenew: () => void }) {
  const address = agentAddress(token.command);
  return (
    <Card title="Nothing heard yet" aside="what to check on the server">
      <ol class="checks">
        <li>
          <p class="w5">It reaches {address ?? "this panel’s agent port"}</p>
          <p class="c2">
            The port has to be open to it, and nothing between may end TLS: node and panel prove themselves to each
            other.
          </p>
          {address !== null && <CodeLine text={`nc -vz ${forNetcat(address)}`} />}
        </li>
        <li>
          <p class="w5">Its clock is right</p>
          <p class="c2">
            It should say <UtcNow />. A clock that is hours off makes certificates look invalid.
          </p>
          <CodeLine text="date -u" />
        </li>
        <li>
          <p class="w5">The line is whole and unused</p>
          <p class="c2">It works once. When another server has used it, or in doubt, make a new one.</p>
          <Button size="sm" icon="restart" onClick={onRenew}>
            Make a line
          </Button>
        </li>
      </ol>
    </Card>
  );
}

function UtcNow() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <time class="tnum w5">{now.toISOString().slice(11, 19)} UTC</time>;
}
