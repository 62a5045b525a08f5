import { useEffect, useState } from "preact/hooks";
import { timer, useSecondsLeft } from "../../../client/countdown.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { Checks } from "./checks.tsx";
import { CommandBox } from "./command-box.tsx";
import { ManyServers } from "./many-servers.tsx";
import { Radar } from "./radar.tsx";
import { type Enrolment, useEnrolment } from "./use-enrolment.ts";

/** How long to wait for a node before the page helps to look for the cause. */
const patienceMs = 60_000;

/** Brings a server in: one line to copy, and a radar that waits for it. */
export function Enrol() {
  const enrolment = useEnrolment();
  const { token, problem, arrival, renew } = enrolment;
  const left = useSecondsLeft(token === null ? null : Date.parse(token.expires_at));
  const isLate = useIsLate(token?.id ?? null);
  const isExpired = token !== null && left === 0;
  return (
    <div class="page enrol">
      <div class="stack">
        <header class="head">
          <h1>Add a node</h1>
        </header>
        <p class="lede">
          Run this line on the server, as root, where Orrery is installed. It appears here with its first heartbeat.
        </p>
        {problem !== null && (
          <div class="card">
            <ProblemCard problem={problem} what="The line" retry={renew} />
          </div>
        )}
        {problem === null && token === null && (
          <div class="card">
            <Skeleton rows={2} />
          </div>
        )}
        {token !== null && <CommandBox token={token} left={left} isUsed={arrival !== null} onRenew={renew} />}
      </div>
      <section class="watch" aria-label="Radar">
        <Radar isListening={token !== null && problem === null && !isExpired} arrival={arrival} />
        <div class="word" role="status">
          <Word enrolment={enrolment} isExpired={isExpired} isLate={isLate} />
        </div>
      </section>
      {token !== null && (
        <div class="stack rest">
          {arrival === null && !isExpired && isLate && <Checks token={token} onRenew={renew} />}
          <ManyServers pattern={token} />
        </div>
      )}
    </div>
  );
}

function Word({
  enrolment: { token, problem, arrival, renew },
  isExpired,
  isLate,
}: {
  enrolment: Enrolment;
  isExpired: boolean;
  isLate: boolean;
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
          <Button icon="plus" onClick={renew}>
            Add another
          </Button>
        </div>
      </>
    );
  }
  if (problem !== null || token === null) return null;
  if (isExpired) return <Status state="warn">The line has expired. Make a new one.</Status>;
  return <Listening key={token.id} isLate={isLate} />;
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
