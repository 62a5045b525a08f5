import { useEffect, useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { beginSession } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";

/** The way in for those with an account; they stay at the address they came for. */
export function SignIn() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  useEffect(() => {
    document.title = "Sign in, Orrery";
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt.send(async () =>
      beginSession(await api("POST /api/auth/login", { body: { email, password }, anonymous: true })),
    );
  };
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>Sign in to your fleet</Hello>
        <div class="ways one">
          <form onSubmit={submit}>
            <Input
              label="Email"
              icon="mail"
              type="email"
              {...attempt.field("email", email, setEmail)}
              autocomplete="username"
              autofocus
              required
            />
            <Password label="Passphrase" value={password} onValue={setPassword} required />
            {attempt.besides("email") !== null && attempt.problem !== null && (
              <Refusal problem={attempt.problem} wait={attempt.wait} />
            )}
            <Button
              type="submit"
              kind="primary"
              wide
              busy={attempt.busy}
              disabled={email === "" || password === "" || attempt.wait > 0}
            >
              Sign in
            </Button>
            <p class="t13 c2 mid">
              New here?{" "}
              <a class="link" href="/register">
                Make an account
              </a>
            </p>
          </form>
        </div>
      </main>
    </Gate>
  );
}
