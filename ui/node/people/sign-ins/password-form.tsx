import { useRef, useState } from "preact/hooks";
import { asProblem, Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { usePasskeySignIn } from "../../../parts/passkey-way.ts";
import { Refusal, useWait } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { completeSignIn, lockInfo } from "../../client/session.ts";
import { provePasskey } from "../passkeys/passkey.ts";
import { PanelWay } from "./panel-way.tsx";

interface Props {
  name: string;
  onName: (name: string) => void;
  onSecondFactor: (temp: string) => void;
  onApprove: () => void;
  onScan: () => void;
}

/** The page says passphrase throughout. */
const inOurWords = ({ status, code, params, retryAfter }: Problem): Problem =>
  new Problem(status, code, "User name or passphrase is wrong.", params, retryAfter);

/** Name and passphrase, and the buttons of the other ways. */
export function PasswordForm({ name, onName, onSecondFactor, onApprove, onScan }: Props) {
  const [password, setPassword] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const info = lockInfo.value;
  const passkey = usePasskeySignIn({
    enabled: info?.passkeys_enabled === true,
    prove: provePasskey,
    finish: async (proof) => {
      const reply = await api("POST /api/auth/passkeys/login/finish", { body: proof, anonymous: true });
      if ("totp_required" in reply) onSecondFactor(reply.temp_token);
      else await completeSignIn(reply.user);
    },
    onProblem: setProblem,
  });
  const wait = useWait(problem);
  const why = info?.passkeys_enabled === false ? info.passkeys_reason : null;

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const reply = await api("POST /api/auth/login", { body: { username: name, password }, anonymous: true });
      if ("totp_required" in reply) return onSecondFactor(reply.temp_token);
      await completeSignIn(reply.user);
    } catch (error) {
      const refused = asProblem(error);
      const isWrong = refused.code === "wrong_credentials";
      setProblem(isWrong ? inOurWords(refused) : refused);
      // The wrong passphrase is selected, so that typing replaces it.
      if (isWrong) form.current?.querySelector<HTMLInputElement>('[autocomplete="current-password"]')?.select();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Input
        label="User name"
        icon="user"
        value={name}
        onValue={onName}
        autocomplete="username webauthn"
        autocapitalize="off"
        spellcheck={false}
        autofocus
        required
      />
      <Password
        label="Passphrase"
        value={password}
        onValue={setPassword}
        required
        hint="Forgot it? On the server run: orrery-node reset-password"
      />
      {problem !== null && <Refusal problem={problem} wait={wait} />}
      <Button type="submit" kind="primary" wide busy={busy} disabled={name === "" || password === ""}>
        Sign in
      </Button>
      <p class="or">or</p>
      <div class="three two">
        <Button
          busy={passkey.busy}
          disabled={info?.passkeys_enabled !== true}
          aria-describedby={why === null ? undefined : "why-no-passkey"}
          onClick={passkey.start}
        >
          {!passkey.busy && <Icon name="passkey" />}
          Passkey
        </Button>
        <Button disabled={info?.approve_enabled !== true} onClick={onApprove}>
          <Icon name="phone" />
          Approve
        </Button>
        <Button class="only-sm-flex" onClick={onScan}>
          <Icon name="qr" />
          Show a code
        </Button>
      </div>
      <PanelWay />
      {why !== null && (
        <p class="hint" id="why-no-passkey">
          No passkeys here: {why}
        </p>
      )}
    </form>
  );
}
