import { useEffect, useState } from "preact/hooks";
import type { PairedDevice, Pairing } from "../../../../src/node/people/paired-devices/contract.ts";
import { timer, useSecondsLeft } from "../../../client/countdown.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import type { Resource } from "../../../client/resource.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Qr } from "../../../kit/qr.tsx";
import { Status } from "../../../kit/status.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";

/** Shows a pairing code until an app has used it. */
export function PairDialog({ known, onClose }: { known: Resource<PairedDevice[]>; onClose: () => void }) {
  const [pairing, setPairing] = useState<Pairing | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [before] = useState(() => new Set(known.data.peek()?.map((device) => device.id)));
  const left = useSecondsLeft(pairing === null ? null : Date.parse(pairing.expires_at));
  const start = (): void => {
    setProblem(null);
    api("POST /api/paired-devices/pairings").then(setPairing, (error: unknown) => setProblem(asProblem(error)));
  };
  useEffect(() => {
    start();
    const timer = setInterval(() => void known.refresh(), 2000);
    return () => clearInterval(timer);
  }, []);
  const added = known.data.value?.find((device) => !before.has(device.id));
  const groups = pairing?.code.match(/.{1,5}/g)?.join("-") ?? "";
  return (
    <Dialog
      title="Pair a mobile app"
      width="sm"
      onClose={onClose}
      foot={
        <Button class="push" kind={added === undefined ? "default" : "primary"} onClick={onClose}>
          {added === undefined ? "Cancel" : "Done"}
        </Button>
      }
    >
      <div class="stack">
        {added !== undefined ? (
          <Status state="ok">{added.name} is paired.</Status>
        ) : problem !== null ? (
          <Refusal problem={problem} />
        ) : pairing === null ? (
          <Skeleton rows={3} />
        ) : left === 0 ? (
          <p class="row">
            <Status state="warn">This code is too old.</Status>
            <Button class="push" size="sm" onClick={start}>
              New code
            </Button>
          </p>
        ) : (
          <>
            <p class="c2">In the app choose “Pair with a server”, then scan this or type the code.</p>
            <p class="center-row">
              <Qr text={`${location.origin}/pair#${pairing.code}`} label="Pairing code" />
            </p>
            <CodeLine text={groups} />
            <p class="t13 c3" role="timer">
              Works once, for {timer(left)} more
            </p>
          </>
        )}
      </div>
    </Dialog>
  );
}
