import { useCredential } from "../../../client/webauthn.ts";
import { CodeForm } from "../../../parts/code-form.tsx";
import { api } from "../../client/api.ts";
import type { Routes } from "../../client/routes.ts";
import { beginSession } from "../../client/session.ts";
import type { Session } from "../../client/token.ts";
import { Gate, Hello } from "../../parts/gate.tsx";

type LogIn = Routes["POST /api/auth/login"]["out"];

/** What a right passphrase answers where the account has a second factor. */
export type FactorAwaited = Extract<LogIn, { mfa_required: true }>;

interface Props {
  awaited: FactorAwaited;
  onDone?: ((session: Session) => void) | undefined;
  onBack: () => void;
}

/** The page between a right passphrase and the session: a code or a key. */
export function SecondStep(props: Props) {
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>One more step</Hello>
        <div class="ways one">
          <FactorForm {...props} />
        </div>
      </main>
    </Gate>
  );
}

/** Takes a code or a key. */
export function FactorForm({ awaited: { mfa_token, methods }, onDone = beginSession, onBack }: Props) {
  const useKey = async (): Promise<void> => {
    const asked = await api("POST /api/auth/webauthn/login/begin", { body: { mfa_token }, anonymous: true });
    const credential = await useCredential(asked.options.publicKey);
    const body = { session_id: asked.session_id, credential };
    onDone(await api("POST /api/auth/webauthn/login/finish", { body, anonymous: true }));
  };
  return (
    <CodeForm
      finish={async (code) =>
        onDone(await api("POST /api/auth/totp/verify-login", { body: { mfa_token, code }, anonymous: true }))
      }
      gone="mfa_token_refused"
      app={methods.includes("totp")}
      recovery={methods.includes("recovery_code")}
      onKey={methods.includes("webauthn") ? useKey : undefined}
      onBack={onBack}
    >
      <p class="t13 c3 mid">
        Lost all of them? Whoever runs this panel takes them off: <code>orrery-panel reset-factors</code>
      </p>
    </CodeForm>
  );
}
