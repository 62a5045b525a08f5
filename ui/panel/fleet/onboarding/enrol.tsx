import { useEffect, useState } from "preact/hooks";
import { timer, useSecondsLeft } from "../../../client/countdown.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Status } from "../../../kit/status.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { Checks } from "./checks.tsx";
import { CommandBox } from "./command-box.tsx";
import { Lines } from "./lines.tsx";
import { Radar } from "./radar.tsx";
import { Full, Refused, Room } from "./room.tsx";
import { isFullOf } from "./room-words.ts";
import { type Enrolment, useEnrolment } from "./use-enrolment.ts";

/** How long to wait for a node before the page helps to look for the cause. */
const patienceMs = 60_000;

/** Brings a server in: a line to copy, made when it is wanted, a radar that waits for it, and who was turned away. */
export function Enrol() {
  const enrolment = useEnrolment();
  const { token, problem, arrival, make, isMaking, isListening, listenFrom, drop } = enrolment;
  const room = useResource("GET /api/onboarding/enrolment", { everyMs: 4_000 });
  const tokens = useResource("GET /api/fleet/tokens");
  const left = useSecondsLeft(token === null ? null : Date.parse(token.expires_at));
  const isLate = useIsLate(token?.id ?? null);
  const isExpired = token !== null && left === 0;
  const isFull = isFullOf(room.data.value);
  const remake = (): void => void make().then(tokens.refresh);
  useEffect(() => {
    if (arrival === null) return;
    void tokens.refresh();
    void room.refresh();
  }, [arrival]);
  return (
    <div class="page enrol">
      <div class="stack">
        <header class="head">
          <h1>Add node</h1>
          <Room of={room.data.value} />
        </header>
        {isFull && <Full of={room.data.value} />}
        <p class="lede">
          {token?.install_command === null
            ? "Run this line on the server, as root, where Orrery is installed. It appears here with its first heartbeat."
            : "One line, run on the server as root, lets it in. It appears here with its first heartbeat."}
        </p>
        {problem !== null && (
          <div class="card">
            <ProblemCard problem={problem} what="The line" retry={remake} />
          </div>
        )}
        {problem === null && token === null && (
          <section class="commandbox" aria-label="The line to run">
            <p class="c2">
              The line lets one server in and is good for an hour. Nothing is made before you ask for it.
            </p>
            <div class="row wrap">
              <Button kind="primary" size="lg" icon="plus" busy={isMaking} disabled={isFull} onClick={remake}>
                Make a line
              </Button>
            </div>
          </section>
        )}
        {token !== null && <CommandBox token={token} left={left} isUsed={arrival !== null} onRenew={remake} />}
      </div>
      <section class="watch" aria-label="Radar">
        <Radar isListening={isListening && problem === null && !isExpired} arrival={arrival} />
        <div class="word" role="status">
          <Word enrolment={enrolment} isExpired={isExpired} isLate={isLate} onMake={remake} />
        </div>
      </section>
      <div class="stack rest">
        <Refused list={room.data.value?.refused ?? []} />
        {token !== null && arrival === null && !isExpired && isLate && <Checks token={token} onRenew={remake} />}
        <Lines tokens={tokens} onMade={listenFrom} onRevoked={drop} />
      </div>
    </div>
  );
}

function Word({
  enrolment: { token, problem, arrival, isListening },
  isExpired,
  isLate,
  onMake,
}: {
  enrolment: Enrolment;
  isExpired: boolean;
  isLate: boolean;
  onMake: () => void;
}) {
  if (arrival !== null) {
    return (
      <>
        <p class="t22">{arrival.hostname} is in orbit</p>
        <p class="c2">
          It sent its first heartbeat just now{arrival.version === null ? "." : `, with version ${arrival.version}.`}
        </p>
        <div class="btns">
          <LinkButton kind="primary" href={`/nodes/${encodeURIComponent(arrival.id)}`}>
            Open {arrival.hostname}
          </LinkButton>
          <Button icon="plus" onClick={onMake}>
            Add another
          </Button>
        </div>
      </>
    );
  }
  if (problem !== null || !isListening) return null;
  if (isExpired) return <Status state="warn">The line has expired. Make a new one.</Status>;
  return <Listening key={token?.id ?? "many"} isLate={isLate} />;
}

function Listening({ isLate }: { isLate: boolean }) {
  const [since] = useState(Date.now);
  const [, tick] = useState(0);
  useEffect(() => {
    const beat = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(beat);
  }, []);
  return (
    <p class="row c2">
      {isLate ? "Still listening, see what to check" : "Listening for its first heartbeat"}
      <span class="tnum c3" aria-hidden="true">
        {timer(Math.floor((Date.now() - since) / 1000))}
      </span>
    </p>
  );
}

/** True once a line has waited for long. */
function useIsLate(id: string | null): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (id === null) return;
    const wait = setTimeout(() => setLate(id), patienceMs);
    return () => clearTimeout(wait);
  }, [id]);
  return id !== null && late === id;
}
