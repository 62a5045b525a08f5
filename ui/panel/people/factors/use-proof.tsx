import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { useCredential } from "../../../client/webauthn.ts";
import { Button } from "../../../kit/button.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

type Work = () => Promise<void>;

/** Does what needs a fresh proof, and asks for one first where the last is too old. What fails says so. */
export function useProof(): {
  run: (work: Work) => Promise<void>;
  /** As `run`, for a form that shows by itself what fails. */
  tryOut: (work: Work) => Promise<void>;
  dialog: ComponentChildren;
} {
  const [asked, setAsked] = useState<{ methods: string[]; work: Work } | null>(null);
  const run = async (work: Work): Promise<void> => {
    try {
      await tryOut(work);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const tryOut = async (work: Work): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code !== "step_up_required") throw problem;
      const { methods } = problem.params;
      setAsked({ methods: Array.isArray(methods) ? methods : [], work });
    }
  };
  const dialog = asked && (
    <ProofDialog
      methods={asked.methods}
      onProven={() => {
        setAsked(null);
        void run(asked.work);
      }}
      onClose={() => setAsked(null)}
    />
  );
  return { run, tryOut, dialog };
}

/** Asks who holds the session to prove themselves again. */
function ProofDialog({
  methods,
  onProven,
  onClose,
}: {
  methods: readonly string[];
  onProven: () => void;
  onClose: () => void;
}) {
  const [value, setValue] = useState("");
  const attempt = useAttempt();
  const withPassword = methods.includes("password");
  const withCode = methods.includes("totp");
  const withKey = methods.includes("webauthn");
  const digits = value.replace(/\s/g, "");
  const typed = async (): Promise<void> => {
    await api("POST /api/auth/step-up", { body: withPassword ? { password: value } : { code: digits } });
    onProven();
  };
  const byKey = async (): Promise<void> => {
    const { session_id, options } = await api("POST /api/auth/step-up/begin");
    const credential = await useCredential(options.publicKey);
    await api("POST /api/auth/step-up", { body: { session_id, credential } });
    onProven();
  };
  const isTyped = withPassword || withCode;
  const submit = async (): Promise<void> => {
    if (!(await attempt.send(isTyped ? typed : byKey))) setValue("");
  };
  return (
    <FormDialog
      title="Confirm that it is you"
      sub="Your last proof is more than a quarter of an hour old."
      action={isTyped ? "Confirm" : "Use a security key"}
      ready={!isTyped || (withPassword ? value !== "" : /^\d{6}$/.test(digits))}
      attempt={attempt}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {withPassword && <Password label="Passphrase" value={value} onValue={setValue} />}
      {withCode && (
        <Input
          label="Code from your authenticator app"
          icon="shield"
          value={value}
          onValue={setValue}
          inputMode="numeric"
          autocomplete="one-time-code"
        />
      )}
      {isTyped && withKey && (
        <Button wide icon="key" disabled={attempt.busy} onClick={() => void attempt.send(byKey)}>
          Use a security key
        </Button>
      )}
      {!isTyped && <p class="c2">Have your key at hand; your browser asks for it.</p>}
    </FormDialog>
  );
}
