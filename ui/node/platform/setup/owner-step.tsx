import { useState } from "preact/hooks";
import { afterEdit, asProblem, type Problem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { strengthOf } from "../../../kit/strength.ts";
import { api } from "../../client/api.ts";
import { completeSignIn, loadLockInfo, lockInfo } from "../../client/session.ts";
import { usernameProblem } from "../../people/users/user-name.ts";
import { Stage } from "./frame.tsx";

/** Creates the account that owns this server, and signs in with it. */
export function OwnerStep({ onDone }: { onDone: () => void }) {
  const claim = lockInfo.value?.claim_required === true;
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  // The installer's code carries it in the fragment, which never leaves the browser.
  const [token, setToken] = useState(new URLSearchParams(location.hash.slice(1)).get("claim") ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const body = claim ? { username, password, claim_token: token.trim() } : { username, password };
      await api("POST /api/auth/setup", { body, anonymous: true });
      const reply = await api("POST /api/auth/login", { body: { username, password }, anonymous: true });
      onDone();
      await completeSignIn("user" in reply ? reply.user : undefined);
    } catch (error) {
      const found = asProblem(error);
      // Somebody else has set it up meanwhile, so what is left is to sign in.
      if (found.status === 409) {
        await loadLockInfo();
        const info = lockInfo.peek();
        if (info !== null) lockInfo.value = { ...info, setup_required: false };
        navigate("/");
      }
      setProblem(found);
    } finally {
      setBusy(false);
    }
  };
  const fieldError = (name: string): string | null =>
    problem?.field === name ? (problem.reason ?? problem.message) : null;
  const edits =
    (field: string, set: (value: string) => void) =>
    (value: string): void => {
      set(value);
      setProblem((now) => afterEdit(now, field));
    };
  const known = ["username", "password", "claim_token"];
  const ready =
    username !== "" && usernameProblem(username) === null && password.length >= 8 && (!claim || token.trim() !== "");
  return (
    <Stage
      title="Who owns this server?"
      lede="This account can do everything here. You can add others later."
      onSubmit={submit}
      foot={
        <span class="push">
          <Button type="submit" kind="primary" busy={busy} disabled={!ready}>
            Continue
          </Button>
        </span>
      }
    >
      <div class="stack">
        {claim && (
          <Input
            label="Claim token"
            icon="key"
            value={token}
            onValue={edits("claim_token", setToken)}
            autocomplete="off"
            spellcheck={false}
            required
            error={fieldError("claim_token")}
            hint="The installer printed it on the server."
          />
        )}
        <Input
          label="User name"
          icon="user"
          value={username}
          onValue={edits("username", setUsername)}
          autocomplete="username"
          autocapitalize="off"
          spellcheck={false}
          autofocus
          required
          error={usernameProblem(username) ?? fieldError("username")}
        />
        <Password
          label="Passphrase"
          value={password}
          onValue={edits("password", setPassword)}
          autocomplete="new-password"
          required
          meter={fieldError("password") === null}
          error={fieldError("password")}
          hint="At least 8 characters. Several words are easy to remember and hard to guess."
        />
        {problem !== null && !known.includes(problem.field ?? "") && (
          <p class="hint crit" role="alert">
            <Glyph state="crit" />
            {problem.message}
          </p>
        )}
        {password.length >= 8 && strengthOf(password).score === 1 && (
          <p class="hint">You can go on, but a stronger one protects everything on this server.</p>
        )}
      </div>
    </Stage>
  );
}
