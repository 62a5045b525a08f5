import { useState } from "preact/hooks";
import type { Problem } from "../../../client/problem.ts";
import { hasPasskeys } from "../../../client/webauthn.ts";
import { Button } from "../../../kit/button.tsx";
import { Password } from "../../../kit/field.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { usePasskeySignIn } from "../../../parts/passkey-way.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { beginSession, leftBehind } from "../../client/session.ts";
import { GateForm } from "../../parts/gate-form.tsx";
import { provePasskey } from "../factors/key.ts";
import { type FactorAwaited, SecondStep } from "../factors/second-step.tsx";
import { ContinueWith } from "../sso/continue-with.tsx";
import { EmailField } from "./email-field.tsx";
import { noRegistration, type RegistrationMode } from "./registration.ts";

/** The way in for those with an account; they stay at the address they came for. */
export function SignIn() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [refused, setRefused] = useState<Problem | null>(null);
  const [awaited, setAwaited] = useState<FactorAwaited | null>(null);
  const attempt = useAttempt();
  const passkey = usePasskeySignIn({
    enabled: awaited === null,
    prove: provePasskey,
    finish: async (body) => beginSession(await api("POST /api/auth/passkeys/login/finish", { body, anonymous: true })),
    onProblem: setRefused,
  });
  const registration = useResource("GET /api/auth/registration").data.value?.mode ?? null;
  if (awaited !== null) return <SecondStep awaited={awaited} onBack={() => setAwaited(null)} />;
  return (
    <GateForm
      title="Sign in"
      hello="Sign in to your fleet"
      action="Sign in"
      ready={email !== "" && password !== ""}
      attempt={attempt}
      fields={["email"]}
      onSubmit={async () => {
        setRefused(null);
        const answer = await api("POST /api/auth/login", { body: { email, password }, anonymous: true });
        if ("token" in answer) beginSession(answer);
        else setAwaited(answer);
      }}
      other={registration === null ? null : newcomers(registration)}
    >
      {leftBehind.value !== null && (
        <p class="c2" role="status">
          You are signed out here. The session at the sign-in of <b>{leftBehind.value}</b> goes on: on a computer that
          others use, sign out there too.
        </p>
      )}
      {hasPasskeys() && (
        <>
          <Button wide busy={passkey.busy} onClick={passkey.start}>
            {!passkey.busy && <Icon name="passkey" />}
            Passkey
          </Button>
          {refused !== null && <Refusal problem={refused} wait={0} />}
          <p class="or">or</p>
        </>
      )}
      <EmailField {...attempt.field("email", email, setEmail)} autofocus passkeys />
      <ContinueWith email={email} />
      <Password label="Passphrase" value={password} onValue={setPassword} required />
      <p class="t13">
        <a class="link" href="/forgot">
          Forgot your passphrase?
        </a>
      </p>
    </GateForm>
  );
}

function newcomers(mode: RegistrationMode) {
  return mode === "open"
    ? { question: "New here?", label: "Make an account", href: "/register" }
    : noRegistration[mode];
}
