import { useEffect, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { duration, stopwatch } from "../../client/format.ts";
import { asProblem, type Problem } from "../../client/problem.ts";
import { completeSignIn, lockInfo } from "../../client/session.ts";
import { Button, IconButton } from "../../kit/button.tsx";
import { Input, Password } from "../../kit/field.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Popover } from "../../kit/menu.tsx";
import { Glyph } from "../../kit/status.tsx";
import { LookPanel } from "../parts/look-panel.tsx";
import { SignInSky } from "../parts/signin-sky.tsx";
import { OfflineBar } from "../shell/offline-bar.tsx";

/** The way in: password, and a code when the account has a second factor. */
export function SignIn() {
  const [temp, setTemp] = useState<string | null>(null);
  const info = lockInfo.value;
  return (
    <div class="gatepage">
      <SignInSky count={info?.apps_in_orbit ?? 0} />
      <header class="bar-top">
        <OfflineBar />
        <span class="push">
          <Popover
            role="dialog"
            label="Appearance"
            trigger={(props) => <IconButton {...props} icon="palette" label="Appearance" />}
          >
            {() => (
              <div class="lookmenu">
                <LookPanel />
              </div>
            )}
          </Popover>
        </span>
      </header>
      <main class="signin" id="main">
        <div class="hello">
          <Icon name="mark" />
          <h1 class="t22">{temp === null ? `Sign in to ${info?.hostname ?? "this server"}` : "One more step"}</h1>
        </div>
        <div class="ways one">
          {temp === null ? (
            <PasswordForm onSecondFactor={setTemp} />
          ) : (
            <CodeForm temp={temp} onBack={() => setTemp(null)} />
          )}
        </div>
      </main>
      <footer class="foot">
        {info !== null && (
          <>
            <span>
              Up <b>{duration(info.uptime_seconds)}</b>
            </span>
            <span>
              <b>
                {info.apps_in_orbit} {info.apps_in_orbit === 1 ? "app" : "apps"}
              </b>{" "}
              in orbit
            </span>
            <span>Orrery {info.version}</span>
          </>
        )}
      </footer>
    </div>
  );
}

function PasswordForm({ onSecondFactor }: { onSecondFactor: (temp: string) => void }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const reply = await api("POST /api/auth/login", { body: { username, password }, anonymous: true });
      if (reply.totp_required === true && reply.temp_token !== undefined) return onSecondFactor(reply.temp_token);
      await completeSignIn(reply.user);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Input
        label="User name"
        icon="user"
        value={username}
        onValue={setUsername}
        autocomplete="username"
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
      {problem !== null && <Refusal problem={problem} />}
      <Button type="submit" kind="primary" wide busy={busy} disabled={username === "" || password === ""}>
        Sign in
      </Button>
    </form>
  );
}

function CodeForm({ temp, onBack }: { temp: string; onBack: () => void }) {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const reply = await api("POST /api/auth/totp/verify", {
        body: { temp_token: temp, code: code.replace(/\s/g, "") },
        anonymous: true,
      });
      await completeSignIn(reply.user);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Input
        label="Code from your authenticator app"
        icon="key"
        value={code}
        onValue={setCode}
        inputMode="numeric"
        autocomplete="one-time-code"
        autofocus
        required
      />
      {problem !== null && <Refusal problem={problem} />}
      <Button type="submit" kind="primary" wide busy={busy} disabled={code.length < 6}>
        Continue
      </Button>
      <Button kind="ghost" wide onClick={onBack}>
        Use another account
      </Button>
    </form>
  );
}

function Refusal({ problem }: { problem: Problem }) {
  if (problem.retryAfter !== null) return <Wait key={problem.retryAfter} seconds={problem.retryAfter} />;
  const left = problem.params["attempts_left"];
  const tries = typeof left === "number" ? ` ${left} ${left === 1 ? "try" : "tries"} left.` : "";
  return (
    <p class="hint crit" role="alert">
      <Glyph state="crit" />
      {problem.message}
      {problem.message.includes(tries.trim()) ? "" : tries}
    </p>
  );
}

/** How long the server takes no more tries; counts down without being read aloud each second. */
function Wait({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = end - now;
  return (
    <p class="hint crit" role="alert">
      <Glyph state="crit" />
      <span>
        Too many tries from this address.{" "}
        <span role="timer">{left > 0 ? `Try again in ${stopwatch(left)}.` : "You can try again now."}</span>
      </span>
    </p>
  );
}
