import { useEffect, useState } from "preact/hooks";
import type { PendingApproval } from "../../../../src/node/people/approvals/contract.ts";
import { timer, useSecondsLeft } from "../../../client/countdown.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { play } from "../../../client/sounds.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";

const route = "GET /api/auth/approve/pending";

/** Asks at once, on every page, when somebody wants to sign in as this user from another device. */
export function ApprovePrompt() {
  const pending = useResource(route, { everyMs: 20_000 });
  const [later, setLater] = useState<string[]>([]);
  const first = pending.data.value?.requests.find(
    (request) => !later.includes(request.id) && Date.parse(request.expires_at) > Date.now(),
  );
  if (first === undefined) return null;
  return <Question key={first.id} request={first} onLater={() => setLater([...later, first.id])} />;
}

function Question({ request, onLater }: { request: PendingApproval; onLater: () => void }) {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState<"yes" | "no" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const left = useSecondsLeft(Date.parse(request.expires_at));
  useEffect(() => play("ask"), []);
  const forget = (): void =>
    resource(route).set((now) =>
      now === null ? null : { requests: now.requests.filter((item) => item.id !== request.id) },
    );
  const decide = async (approve: boolean): Promise<void> => {
    setBusy(approve ? "yes" : "no");
    setProblem(null);
    try {
      const body = approve ? { approve, code: code.replace(/\s/g, "") } : { approve };
      await api("POST /api/auth/approve/{id}/decide", { path: { id: request.id }, body });
      toast(approve ? `${request.device} is signed in.` : `${request.device} was turned away.`);
      forget();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(null);
    }
  };
  const over = problem !== null && [400, 404, 409, 410].includes(problem.status);
  const foot = over ? (
    <Button class="push" onClick={forget}>
      Close
    </Button>
  ) : (
    <>
      <Button kind="danger" class="push" busy={busy === "no"} onClick={() => void decide(false)}>
        Not me, refuse
      </Button>
      <Button
        kind="primary"
        busy={busy === "yes"}
        disabled={code.replace(/\s/g, "").length < 4 || left === 0}
        onClick={() => void decide(true)}
      >
        Let it in
      </Button>
    </>
  );
  return (
    <Dialog
      title="Is this you signing in?"
      sub={over ? "It is over" : left === 0 ? "Too late now" : `${timer(left)} left`}
      width="sm"
      onClose={over || left === 0 ? forget : onLater}
      foot={foot}
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!over && left > 0) void decide(true);
        }}
      >
        <dl class="dl">
          <dt>Device</dt>
          <dd>{request.device}</dd>
          <dt>Address</dt>
          <dd>
            {request.ip}
            {request.city === null ? "" : `, ${request.city}`}
          </dd>
        </dl>
        <Input
          label="Code on the other screen"
          icon="key"
          value={code}
          onValue={setCode}
          inputMode="numeric"
          autocomplete="one-time-code"
          disabled={over}
          hint={over ? undefined : "A wrong code turns the device away."}
        />
        {problem !== null && <Refusal problem={problem} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
