import { useEffect, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { NewPassword } from "../../../parts/new-password.tsx";
import { api } from "../../client/api.ts";
import type { Routes } from "../../client/routes.ts";
import { beginSession } from "../../client/session.ts";
import type { Session } from "../../client/token.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { tellKeysThatStay } from "../factors/keys-that-stay.ts";
import { type FactorAwaited, FactorForm } from "../factors/second-step.tsx";

type Link = Routes["POST /api/auth/link/look"]["out"];

const tokenInAddress = (): string => location.hash.slice(1);

/** Where an invitation or a reset leads. Its token is in the fragment, which browsers send to nobody. */
export function Welcome() {
  const [token, setToken] = useState(tokenInAddress);
  // Another link put into the address changes the fragment only; no new page is loaded.
  useEffect(() => {
    const read = (): void => setToken(tokenInAddress());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return <Opened key={token} token={token} />;
}

function Opened({ token }: { token: string }) {
  const [link, setLink] = useState<Link | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [awaited, setAwaited] = useState<FactorAwaited | null>(null);
  useEffect(() => {
    api("POST /api/auth/link/look", { body: { token: token === "" ? "-" : token }, anonymous: true }).then(
      setLink,
      (error: unknown) => setProblem(asProblem(error)),
    );
  }, [token]);
  useEffect(() => {
    document.title = "Choose a passphrase, Orrery";
  }, []);
  const enter = (session: Session): void => {
    navigate("/", { replace: true });
    beginSession(session);
    if (link?.kind === "reset") void tellKeysThatStay().catch(() => {});
  };
  const choose = async (password: string): Promise<void> => {
    const { email } = await api("POST /api/auth/link/use", { body: { token, password }, anonymous: true });
    const session = await api("POST /api/auth/login", { body: { email, password }, anonymous: true });
    if ("token" in session) enter(session);
    else setAwaited(session);
  };
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>{link === null ? "Welcome to Orrery" : greetingOf(link)}</Hello>
        {link !== null && <p class="c2 mid cut">{link.email}</p>}
        <div class="ways one">
          {problem !== null ? (
            <div class="stack center">
              <ErrorCard title="This link does not open" why={problem.message} code={problem.code} />
              <p class="center-row">
                <LinkButton href="/">Go to sign-in</LinkButton>
              </p>
            </div>
          ) : link === null ? (
            <Skeleton rows={2} />
          ) : awaited !== null ? (
            <FactorForm awaited={awaited} onDone={enter} onBack={() => navigate("/", { replace: true })} />
          ) : (
            <NewPassword
              action={link.kind === "invite" ? "Join" : "Set passphrase"}
              username={link.email}
              onSubmit={choose}
            />
          )}
        </div>
      </main>
    </Gate>
  );
}

function greetingOf({ kind, display_name }: Link): string {
  return kind === "invite" ? `Welcome, ${display_name}` : `Back again, ${display_name}`;
}
