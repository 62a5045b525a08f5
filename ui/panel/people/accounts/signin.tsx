import { useState } from "preact/hooks";
import { Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { beginSession } from "../../client/session.ts";
import { GateForm } from "../../parts/gate-form.tsx";
import { EmailField } from "./email-field.tsx";
import { noRegistration, type RegistrationMode } from "./registration.ts";

/** The way in for those with an account; they stay at the address they came for. */
export function SignIn() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  const registration = useResource("GET /api/auth/registration").data.value?.mode ?? null;
  return (
    <GateForm
      title="Sign in"
      hello="Sign in to your fleet"
      action="Sign in"
      ready={email !== "" && password !== ""}
      attempt={attempt}
      fields={["email"]}
      onSubmit={async () =>
        beginSession(await api("POST /api/auth/login", { body: { email, password }, anonymous: true }))
      }
      other={registration === null ? null : newcomers(registration)}
    >
      <EmailField {...attempt.field("email", email, setEmail)} autofocus />
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
