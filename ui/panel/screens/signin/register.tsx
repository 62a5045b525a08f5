import { useEffect, useState } from "preact/hooks";
import { navigate, query } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { beginSession } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";

const leastLength = 8;

/** Makes an account with its first workspace, and goes straight in. */
export function Register() {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  useEffect(() => {
    document.title = "Make an account, Orrery";
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt.send(async () => {
      const ref = query.peek().get("ref");
      const body = { name, email, password, ...(ref === null ? {} : { ref }) };
      await api("POST /api/auth/register", { body, anonymous: true });
      const session = await api("POST /api/auth/login", { body: { email, password }, anonymous: true });
      navigate("/", { replace: true });
      beginSession(session);
    });
  };
  const besides = attempt.besides("name", "email", "password");
  const inPassword = attempt.errorOf("password");
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>Bring your servers into one orbit</Hello>
        <div class="ways one">
          <form onSubmit={submit}>
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
            <Input
              label="Email"
              icon="mail"
              type="email"
              {...attempt.field("email", email, setEmail)}
              autocomplete="username"
              required
            />
            <Password
              label="Passphrase"
              value={password}
              onValue={attempt.edits("password", setPassword)}
              error={inPassword}
              meter={inPassword === null}
              autocomplete="new-password"
              hint={`At least ${leastLength} characters. A few unrelated words are strong and easy to keep in mind.`}
              required
            />
            {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
            <Button
              type="submit"
              kind="primary"
              wide
              busy={attempt.busy}
              disabled={name.trim() === "" || email === "" || password.length < leastLength || attempt.wait > 0}
            >
              Make my account
            </Button>
            <p class="t13 c2 mid">
              You have one already?{" "}
              <a class="link" href="/">
                Sign in
              </a>
            </p>
          </form>
        </div>
      </main>
    </Gate>
  );
}
