import { useState } from "preact/hooks";
import { navigate, query } from "../../../client/router.ts";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { beginSession } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { GateForm } from "../../parts/gate-form.tsx";
import { EmailField } from "./email-field.tsx";
import { noRegistration } from "./registration.ts";

const leastLength = 8;

/** Makes an account with its first workspace, and goes straight in; or says why nobody can. */
export function Register() {
  const mode = useResource("GET /api/auth/registration").data.value?.mode ?? "open";
  return mode === "open" ? <RegisterForm /> : <NoRegistration why={noRegistration[mode]} />;
}

function NoRegistration({ why }: { why: string }) {
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>No new accounts here</Hello>
        <div class="ways one">
          <div class="words">
            <p class="c2 mid">{why}</p>
            <p class="t13 c2 mid">
              You have one already?{" "}
              <a class="link" href="/">
                Sign in
              </a>
            </p>
          </div>
        </div>
      </main>
    </Gate>
  );
}

function RegisterForm() {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  const submit = async (): Promise<void> => {
    const ref = query.peek().get("ref");
    const body = { name, email, password, ...(ref === null ? {} : { ref }) };
    await api("POST /api/auth/register", { body, anonymous: true });
    const session = await api("POST /api/auth/login", { body: { email, password }, anonymous: true });
    navigate("/", { replace: true });
    // Whoever has just made an account has no second factor.
    if ("token" in session) beginSession(session);
  };
  return (
    <GateForm
      title="Make an account"
      hello="Bring your servers into one orbit"
      action="Make my account"
      ready={name.trim() !== "" && email !== "" && password.length >= leastLength}
      attempt={attempt}
      fields={["name", "email", "password"]}
      onSubmit={submit}
      other={{ question: "You have one already?", label: "Sign in", href: "/" }}
    >
      <Input
        label="Your name"
        icon="user"
        {...attempt.field("name", name, setName)}
        hint={
          name.trim() === ""
            ? "Your first workspace is named after you."
            : `Your first workspace: ${name.trim()}’s workspace`
        }
        autofocus
        required
      />
      <EmailField {...attempt.field("email", email, setEmail)} />
      <Password
        label="Passphrase"
        {...attempt.field("password", password, setPassword)}
        meter={attempt.errorOf("password") === null}
        autocomplete="new-password"
        hint={`At least ${leastLength} characters. A few unrelated words are strong and easy to keep in mind.`}
        required
      />
    </GateForm>
  );
}
