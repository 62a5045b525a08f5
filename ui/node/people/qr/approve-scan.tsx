import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Avatar } from "../../../kit/status.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";

/** Where a scanned code leads: this device, which is signed in, lets the other screen in. */
export function ApproveScan({ params }: { params: Record<string, string> }) {
  const id = params["session"] ?? "";
  const status = useResource("GET /api/auth/qr/status/{session_id}", { path: { session_id: id } });
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const approve = async (): Promise<void> => {
    setBusy(true);
    try {
      await api("POST /api/auth/qr/approve", { body: { session_id: id } });
      setDone(true);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  const state = status.data.value?.status ?? null;
  const gone = status.problem.value;
  return (
    <div class="page narrow">
      <header class="head">
        <h1>Sign in another screen</h1>
      </header>
      <Card>
        {done ? (
          <Ended icon="check" title="The other screen is signed in">
            It opens by itself within seconds. You can close this page.
          </Ended>
        ) : gone !== null ? (
          <ErrorCard
            title="This code is not known"
            why={gone.message}
            remedy="Codes live five minutes. Reload the sign-in page on the other screen and scan again."
            code={gone.code}
          />
        ) : state === null ? (
          <Skeleton rows={2} />
        ) : state !== "pending" ? (
          <Ended icon="clock" title={state === "expired" ? "This code is too old" : "This code was used already"}>
            Reload the sign-in page on the other screen and scan the new code.
          </Ended>
        ) : (
          <div class="empty">
            <Avatar name={user.value?.username ?? ""} url={user.value?.avatar_url ?? null} size="lg" />
            <p class="w6">Let the other screen in as {user.value?.username}?</p>
            <p>Only do this for a screen in front of you, whose code you have just scanned.</p>
            {problem !== null && <Refusal problem={problem} />}
            <div class="btns">
              <LinkButton href="/">No, cancel</LinkButton>
              <Button kind="primary" busy={busy} onClick={() => void approve()}>
                Yes, sign it in
              </Button>
            </div>
          </div>
        )}
      </Card>
    </div>
  );
}

function Ended({
  icon,
  title,
  children,
}: {
  icon: "check" | "clock";
  title: string;
  children: preact.ComponentChildren;
}) {
  return (
    <div class="empty" role="status">
      <Icon name={icon} class="c3" />
      <p class="w6">{title}</p>
      <p>{children}</p>
      <LinkButton href="/">Go home</LinkButton>
    </div>
  );
}
