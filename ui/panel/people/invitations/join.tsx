import { useEffect, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import type { Routes } from "../../client/routes.ts";
import { beginSession, enterWorkspace, user } from "../../client/session.ts";
import type { Session } from "../../client/token.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { roleNames } from "../../parts/roles.ts";
import { type FactorAwaited, FactorForm } from "../factors/second-step.tsx";

type Offer = Routes["POST /api/auth/invitation/look"]["out"];

/** Where an invitation leads. Its token is in the fragment, which browsers send to nobody. */
export function Join() {
  const [token] = useState(() => location.hash.slice(1));
  const [offer, setOffer] = useState<Offer | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    document.title = "Join a workspace, Orrery";
    api("POST /api/auth/invitation/look", { body: { token: token === "" ? "-" : token }, anonymous: true }).then(
      setOffer,
      (error: unknown) => setProblem(asProblem(error)),
    );
  }, [token]);
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>{offer === null ? "Welcome to Orrery" : `Join ${offer.workspace}`}</Hello>
        {offer !== null && <p class="c2 mid">{about(offer)}</p>}
        <div class="ways one">
          {problem !== null ? (
            <div class="stack center">
              <ErrorCard title="This invitation does not open" why={problem.message} code={problem.code} />
              <p class="center-row">
                <LinkButton href="/">Go to sign-in</LinkButton>
              </p>
            </div>
          ) : offer === null ? (
            <Skeleton rows={3} />
          ) : user.value?.email === offer.email ? (
            <AsMyself token={token} />
          ) : (
            <Prove token={token} offer={offer} />
          )}
        </div>
      </main>
    </Gate>
  );
}

function about({ invited_by, role, email }: Offer): string {
  return `${invited_by ?? "Somebody"} invites ${email} as ${roleNames[role].toLowerCase()}.`;
}

/** For whoever is signed in to the account that is invited. */
function AsMyself({ token }: { token: string }) {
  const attempt = useAttempt();
  const join = (): Promise<boolean> =>
    attempt.send(async () => {
      const { tenant_id } = await api("POST /api/auth/accept-invite", { body: { token } });
      enterWorkspace(await api("POST /api/workspaces/{id}/switch", { path: { id: tenant_id } }), "/");
    });
  return (
    <div class="stack">
      {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
      <Button kind="primary" wide busy={attempt.busy} disabled={attempt.wait > 0} onClick={() => void join()}>
        Join
      </Button>
    </div>
  );
}

/** Makes the account, or proves that it is the caller's; either way leads on to sign in. */
function Prove({ token, offer: { email, existing_account } }: { token: string; offer: Offer }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  const [awaited, setAwaited] = useState<(FactorAwaited & { tenant_id: string }) | null>(null);
  const besides = attempt.besides("name", "password");
  const enter = async (session: Session, tenantId: string): Promise<void> => {
    navigate("/", { replace: true });
    beginSession(session);
    if (session.user.tenant_id !== tenantId)
      enterWorkspace(await api("POST /api/workspaces/{id}/switch", { path: { id: tenantId } }), "/");
  };
  const join = async (): Promise<void> => {
    const body = { token, password, ...(existing_account ? {} : { name }) };
    const { tenant_id } = await api("POST /api/auth/accept-invite", { body, anonymous: true });
    const session = await api("POST /api/auth/login", { body: { email, password }, anonymous: true });
    if ("token" in session) await enter(session, tenant_id);
    else setAwaited({ ...session, tenant_id });
  };
  if (awaited !== null)
    return (
      <FactorForm
        awaited={awaited}
        onDone={(session) => void enter(session, awaited.tenant_id)}
        onBack={() => navigate("/", { replace: true })}
      />
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.send(join);
      }}
    >
      <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
      {!existing_account && (
        <Input label="Your name" icon="user" {...attempt.field("name", name, setName)} autofocus required />
      )}
      <Password
        label={existing_account ? "Passphrase of your account" : "New passphrase"}
        {...attempt.field("password", password, setPassword)}
        autocomplete={existing_account ? "current-password" : "new-password"}
        meter={!existing_account && attempt.errorOf("password") === null}
        autofocus={existing_account}
        required
        hint={
          existing_account
            ? "There is an account with this address already."
            : "At least 8 characters. A few unrelated words are strong and easy to keep in mind."
        }
      />
      {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
      {besides?.code === "invitation_unknown" && (
        <p class="center-row">
          <span>Have you just joined?</span>
          <a class="link" href="/">
            Sign in
          </a>
        </p>
      )}
      <Button
        type="submit"
        kind="primary"
        wide
        busy={attempt.busy}
        disabled={password.length < 8 || (!existing_account && name.trim() === "") || attempt.wait > 0}
      >
        Join
      </Button>
    </form>
  );
}
