import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { clock } from "../../../client/format.ts";
import { asProblem, Problem } from "../../../client/problem.ts";
import { hasPasskeys } from "../../../client/webauthn.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Avatar } from "../../../kit/status.tsx";
import { Refusal, useWait } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { liftLock, lockedSince } from "../../client/lock.ts";
import type { In } from "../../client/routes.ts";
import { checkSession, lockInfo, signOut, user } from "../../client/session.ts";
import { Gate } from "../../parts/gate.tsx";
import { provePasskey } from "../passkeys/passkey.ts";

/**
 * A modal dialog over the whole page, open dialogs included, which stay as they are. Only an unlock or a sign-out closes it.
 */
export function LockScreen() {
  const layer = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);
  // In a layout effect, so that nothing behind the lock is painted and no key reaches it.
  useLayoutEffect(() => {
    layer.current?.showModal();
    field.current?.focus();
    const look = (): void => {
      if (document.visibilityState === "visible") void checkSession();
    };
    // A page can keep Escape from closing a dialog only once: the second Escape would close the lock, a third one the dialog below it.
    const holdEscape = (event: KeyboardEvent): void => {
      if (event.key === "Escape") event.preventDefault();
    };
    document.addEventListener("visibilitychange", look);
    document.addEventListener("keydown", holdEscape, true);
    return () => {
      document.removeEventListener("visibilitychange", look);
      document.removeEventListener("keydown", holdEscape, true);
      layer.current?.close();
      if (before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);
  return (
    <dialog
      ref={layer}
      class="locklayer"
      aria-labelledby="lock-name"
      onCancel={(event) => event.preventDefault()}
      onClose={() => lockedSince.peek() !== null && layer.current?.isConnected && layer.current.showModal()}
    >
      <Gate named>
        <LockForm field={field} />
      </Gate>
    </dialog>
  );
}

function LockForm({ field }: { field: preact.RefObject<HTMLInputElement | null> }) {
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState<"password" | "passkey" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const who = user.value;
  const passkeys = lockInfo.value?.passkeys_enabled === true && hasPasskeys();

  const open = async (
    way: "password" | "passkey",
    prove: () => Promise<In<"POST /api/auth/unlock">>,
  ): Promise<void> => {
    setBusy(way);
    setProblem(null);
    try {
      await api("POST /api/auth/unlock", { body: await prove(), anonymous: true });
      liftLock();
      void checkSession();
    } catch (error) {
      const problem = asProblem(error);
      // A 401 that is not about the passphrase means that the session has ended.
      if (problem.code === "unauthorized") void checkSession();
      // The name is known here, so only the passphrase can be wrong.
      const isWrong = problem.code === "wrong_credentials";
      setProblem(isWrong ? new Problem(401, problem.code, "The passphrase is wrong.", {}, null) : problem);
      setPassword("");
      setBusy(null);
      field.current?.focus();
    }
  };
  const since = lockedSince.value ?? Date.now();
  return (
    <main class="lockbox">
      <Avatar name={who?.username ?? ""} url={who?.avatar_url ?? null} size="lg" />
      <div>
        <h1 class="lockname cut" id="lock-name">
          {who?.username}
        </h1>
        <p class="t13 c3">Locked at {clock(since)}, your work is kept</p>
      </div>
      <form
        class="fill stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== "" && wait === 0) void open("password", () => Promise.resolve({ password }));
        }}
      >
        <input type="text" name="username" autocomplete="username" value={who?.username ?? ""} readOnly hidden />
        <span class={`input lg ${problem === null ? "" : "is-error"}`}>
          <Icon name="lock" />
          <input
            ref={field}
            type="password"
            aria-label="Passphrase"
            placeholder="Passphrase"
            autocomplete="current-password"
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
          <IconButton
            type="submit"
            icon="arrow-right"
            label="Unlock"
            kind="primary"
            size="sm"
            class="in"
            disabled={password === "" || busy !== null || wait > 0}
          />
        </span>
        {problem !== null && <Refusal problem={problem} wait={wait} />}
      </form>
      <div class="btns">
        {passkeys && (
          <Button
            kind="ghost"
            size="sm"
            icon="passkey"
            busy={busy === "passkey"}
            onClick={() =>
              void open("passkey", async () => ({
                passkey: await provePasskey({ signal: new AbortController().signal }),
              }))
            }
          >
            Use passkey
          </Button>
        )}
        <Button kind="ghost" size="sm" icon="logout" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </main>
  );
}
