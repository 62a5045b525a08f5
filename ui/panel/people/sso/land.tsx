import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { enterWorkspace } from "../../client/session.ts";
import { renewalOver } from "../../client/token.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { ownPath } from "./start-address.ts";

/** Why a provider's answer was not taken, and what to do. */
const refusals: Record<string, { why: string; remedy: string }> = {
  unknown: {
    why: "There is no such sign-in, or this link was used already.",
    remedy: "Begin at the page of signing in.",
  },
  off: { why: "This sign-in is off.", remedy: "Sign in another way, or ask an owner of the workspace." },
  unreachable: {
    why: "The provider did not answer as it should.",
    remedy: "Try again in a minute. If it stays so, an owner of the workspace sees the cause in the audit log.",
  },
  unsolicited: { why: "This sign-in took too long, or was used already.", remedy: "Begin again." },
  replay: { why: "What the provider said was used already.", remedy: "Begin again." },
  other_browser: { why: "It was begun in another browser.", remedy: "Begin again in this one." },
  mix_up: { why: "The answer came from another provider than the one that was asked.", remedy: "Begin again." },
  changed: { why: "The sign-in was changed meanwhile.", remedy: "Begin again." },
  provider: { why: "The provider did not let you in.", remedy: "Try again there, or ask whoever runs it." },
  clock: {
    why: "The clocks of the provider and of this panel differ.",
    remedy: "Ask whoever runs them to set both by NTP.",
  },
};
const otherwise = {
  why: "What the provider said could not be believed.",
  remedy: "Begin again. If it stays so, an owner of the workspace sees the cause in the audit log.",
};

/** What somebody gives besides the code: the passphrase of their account, or that the one which is there is not theirs. */
type Proof = { password?: string; anew?: true };

interface Told {
  code: string | null;
  error: string | null;
  to: string;
}

/** What stands after the # of the address, which goes away once it is read: no history keeps it. */
function readTold(): Told {
  const told = new URLSearchParams(location.hash.slice(1));
  return { code: told.get("code"), error: told.get("error"), to: ownPath(told.get("to")) };
}

/** Where people come back to from a provider. */
export function Land() {
  const [told] = useState(readTold);
  const [problem, setProblem] = useState<Problem | null>(null);
  const trade = async (proof: Proof = {}): Promise<void> => {
    // Somebody else may have been here, whom this page has just tried to go on with.
    await renewalOver();
    const body = { code: told.code ?? "", ...proof };
    enterWorkspace(
      await api("POST /api/auth/sso/exchange", {
        body,
        ...(Object.keys(proof).length === 0 ? {} : { anonymous: true }),
      }),
      told.to,
    );
  };
  useEffect(() => {
    document.title = "Sign in, Orrery";
    history.replaceState(null, "", "/sso");
    if (told.code !== null) trade().catch((error: unknown) => setProblem(asProblem(error)));
  }, []);
  return (
    <Gate>
      <main class="signin" id="main">
        <Shown told={told} problem={problem} trade={trade} />
      </main>
    </Gate>
  );
}

function Shown({
  told,
  problem,
  trade,
}: {
  told: Told;
  problem: Problem | null;
  trade: (proof: Proof) => Promise<void>;
}) {
  const action = { label: "Begin again", run: () => navigate("/", { replace: true }) };
  if (problem?.code === "sso_proof_missing") return <Prove trade={trade} />;
  if (problem !== null)
    return <ErrorCard page title="You are not signed in" why={problem.message} code={problem.code} action={action} />;
  if (told.code !== null)
    return (
      <>
        <Hello>Signing you in</Hello>
        <div class="ways one" aria-busy="true">
          <Skeleton rows={2} />
        </div>
      </>
    );
  const { why, remedy } = (told.error === null ? undefined : refusals[told.error]) ?? otherwise;
  return (
    <ErrorCard
      page
      title="You are not signed in"
      why={why}
      remedy={remedy}
      code={`sso_${told.error ?? "nothing"}`}
      action={action}
    />
  );
}

/** Asks for the passphrase of an account that was there before, once, or whether it is somebody else's. */
function Prove({ trade }: { trade: (proof: Proof) => Promise<void> }) {
  const [isMine, setMine] = useState(true);
  return (
    <>
      <Hello>{isMine ? "One more step" : "Begin with an account of your own?"}</Hello>
      {isMine ? (
        <ProveMine trade={trade} onNotMine={() => setMine(false)} />
      ) : (
        <BeginAnew trade={trade} onBack={() => setMine(true)} />
      )}
    </>
  );
}

function ProveMine({ trade, onNotMine }: { trade: (proof: Proof) => Promise<void>; onNotMine: () => void }) {
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  return (
    <>
      <p class="c2 mid">
        There is an account that has your address, or had it before. Give its passphrase once, and it is linked to your
        company's sign-in.
      </p>
      <div class="ways one">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void attempt.send(() => trade({ password }));
          }}
        >
          <Password label="Passphrase of your account" value={password} onValue={setPassword} autofocus required />
          {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
          <Button type="submit" kind="primary" wide busy={attempt.busy} disabled={password === "" || attempt.wait > 0}>
            Link and go on
          </Button>
          <Button wide disabled={attempt.busy} onClick={onNotMine}>
            This account is not mine
          </Button>
        </form>
      </div>
    </>
  );
}

/** The other account cannot be linked any more once its address is taken from it, so it is asked first. */
function BeginAnew({ trade, onBack }: { trade: (proof: Proof) => Promise<void>; onBack: () => void }) {
  const attempt = useAttempt();
  const words = useRef<HTMLParagraphElement>(null);
  // The button that led here is gone, and with it the place of whoever is at a keyboard.
  useEffect(() => words.current?.focus(), []);
  return (
    <>
      <p class="c2 mid" tabIndex={-1} ref={words}>
        The account that is there loses your address and stays with whoever made it, and you get an empty one. If they
        proved that the address is theirs, nothing changes, and only its passphrase leads on.
      </p>
      <div class="ways one">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void attempt.send(() => trade({ anew: true }));
          }}
        >
          {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
          <Button type="submit" kind="primary" wide busy={attempt.busy} disabled={attempt.wait > 0}>
            Go on with an account of my own
          </Button>
          <Button wide disabled={attempt.busy} onClick={onBack}>
            Back to the passphrase
          </Button>
        </form>
      </div>
    </>
  );
}
