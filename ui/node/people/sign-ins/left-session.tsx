import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { lastAccount } from "../../client/presence.ts";
import { goOnAs, refuseLeft } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";

interface Props {
  id: string;
  name: string;
  /** When it was found, on the clock of `performance.now()`. */
  since: number;
}

/** Asks about a session that this browser was left with: by a link or the panel, or by an app of this server. */
export function LeftSession({ id, name, since }: Props) {
  const [isEnding, setEnding] = useState(false);
  const last = lastAccount();
  const other = last === null || last.id === id ? "somebody else" : last.name;
  const refuse = (): void => {
    setEnding(true);
    void refuseLeft({ since });
  };
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>This browser holds a session of {name}</Hello>
        <p class="c2">
          It did not begin on this page. A link or the panel can begin one, but so can an app of this server. Go on only
          if you want to work as {name}.
        </p>
        <div class="ways one">
          <div class="stack">
            <Button kind="primary" wide busy={isEnding} onClick={refuse}>
              Sign in as {other}
            </Button>
            <Button wide disabled={isEnding} onClick={() => void goOnAs({ id, name })}>
              Go on as {name}
            </Button>
          </div>
        </div>
      </main>
    </Gate>
  );
}
