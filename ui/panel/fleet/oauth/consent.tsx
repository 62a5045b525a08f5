import { useEffect, useState } from "preact/hooks";
import { Problem } from "../../../client/problem.ts";
import { query } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Avatar } from "../../../kit/status.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { signOut } from "../../client/session.ts";
import type { AuthorizationQuery, Preflight } from "../../client/types.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { roleNames } from "../../parts/roles.ts";
import { readRequest, safeReturn } from "./request.ts";
import { WrongWorkspace } from "./wrong-workspace.tsx";

/** A node asks who somebody is: who asks, what it learns, yes or no. */
export function ConsentScreen() {
  const asked = readRequest(query.value);
  useEffect(() => {
    document.title = "Sign in to a node, Orrery";
  }, []);
  return (
    <Gate>
      <main class="signin consent" id="main">
        {asked === null ? <Unreadable /> : <Asked asked={asked} />}
      </main>
    </Gate>
  );
}

function Unreadable() {
  return (
    <ErrorCard
      page
      title="This sign-in cannot go on"
      why="The address that led here is incomplete. It may have been cut off on its way."
      remedy="Go back to the node and start the sign-in there again."
      code="authorization_incomplete"
    />
  );
}

function Asked({ asked }: { asked: AuthorizationQuery }) {
  const found = useResource("GET /api/oauth/authorize/preflight", { query: { ...asked } });
  const problem = found.problem.value;
  const facts = found.data.value;
  if (problem !== null && facts === null) return <Refused problem={problem} retry={() => void found.refresh()} />;
  if (facts === null) {
    return (
      <div class="ways one">
        <Skeleton rows={3} />
      </div>
    );
  }
  return <Question asked={asked} facts={facts} />;
}

function Refused({ problem, retry }: { problem: Problem; retry: () => void }) {
  if (problem.code === "unknown_client") return <WrongWorkspace />;
  return (
    <ErrorCard
      page
      title="This node cannot sign you in"
      why={problem.message}
      action={{ label: "Try again", run: retry }}
      code={problem.code}
    />
  );
}

function Question({ asked, facts: { client, user, workspace } }: { asked: AuthorizationQuery; facts: Preflight }) {
  const [answer, setAnswer] = useState<"yes" | "no" | null>(null);
  const attempt = useAttempt();
  const decide = async (approve: boolean): Promise<void> => {
    setAnswer(approve ? "yes" : "no");
    const isSent = await attempt.send(async () => {
      const { redirect_to } = await api("POST /api/oauth/authorize/consent", { body: { ...asked, approve } });
      const to = safeReturn(redirect_to, asked);
      if (to === null)
        throw new Problem(0, "return_refused", "The way back does not lead to the node that asked.", {}, null);
      location.assign(to);
    });
    if (!isSent) setAnswer(null);
  };
  return (
    <>
      <Hello>Sign in to {client.hostname}?</Hello>
      <div class="ways one">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void decide(true);
          }}
        >
          <p class="row asker">
            <Avatar name={user.display_name} />
            <span class="col">
              <b class="cut">{user.display_name}</b>
              <span class="t12 c3 cut">{user.email}</span>
            </span>
            <Icon name="arrow-right" />
            <span class="nodetile">
              <Icon name="server" />
            </span>
            <span class="col">
              <b class="cut">{client.hostname}</b>
              <span class="t12 c3 cut">{client.redirect_host}</span>
            </span>
          </p>
          <ul class="grants">
            <li class="row">
              <Icon name="check" />
              <span>
                It learns your name, your email address and that you are {roleNames[user.role].toLowerCase()} in{" "}
                {workspace.name}.
              </span>
            </li>
            <li class="row">
              <Icon name="x" />
              <span>It does not learn your passphrase, and gets no access to this panel.</span>
            </li>
          </ul>
          {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
          <Button type="submit" kind="primary" wide busy={answer === "yes"} disabled={answer !== null}>
            Sign in to {client.hostname}
          </Button>
          <Button wide busy={answer === "no"} disabled={answer !== null} onClick={() => void decide(false)}>
            Refuse
          </Button>
          <p class="t13 c2 mid">
            Not {user.display_name}?{" "}
            <button type="button" class="link" onClick={() => void signOut({ stay: true })}>
              Use another account
            </button>
          </p>
        </form>
      </div>
    </>
  );
}
