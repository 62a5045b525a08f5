import { useEffect, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { NewPassword } from "../../../parts/new-password.tsx";
import { api } from "../../client/api.ts";
import type { Out } from "../../client/routes.ts";
import { completeSignIn, lockInfo } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { EndingWays, type WayKind } from "../auth/ending-ways.tsx";
import { CodeForm } from "../sign-ins/code-form.tsx";

const roles = { admin: "as an administrator", member: "as a member", viewer: "as a viewer" };

const tokenInAddress = (): string => location.hash.slice(1);

/** Where an invitation leads. Its token is in the fragment, which browsers send to nobody. */
export function AcceptInvite() {
  const [token, setToken] = useState(tokenInAddress);
  // Another invitation put into the address changes the fragment only; no new page is loaded.
  useEffect(() => {
    const read = (): void => setToken(tokenInAddress());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return <Invitation key={token} token={token} />;
}

function Invitation({ token }: { token: string }) {
  const [invite, setInvite] = useState<Out<"POST /api/auth/invites/look"> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [kept, setKept] = useState<WayKind[]>([]);
  const [temp, setTemp] = useState<string | null>(null);
  const goHome = () => navigate("/", { replace: true });
  const host = lockInfo.value?.hostname ?? "this server";
  useEffect(() => {
    api("POST /api/auth/invites/look", { body: { token: token === "" ? "-" : token }, anonymous: true }).then(
      setInvite,
      (error: unknown) => setProblem(asProblem(error)),
    );
  }, [token]);
  const accept = async (password: string): Promise<void> => {
    const body = { token, password, keep: kept };
    const reply = await api("POST /api/auth/invites/accept", { body, anonymous: true });
    if ("temp_token" in reply) return setTemp(reply.temp_token);
    await completeSignIn(reply.user);
    goHome();
  };
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>{invite === null ? `Welcome to ${host}` : `Welcome to ${host}, ${invite.username}`}</Hello>
        {invite !== null && (
          <p class="c2">
            {temp === null
              ? `You join ${roles[invite.role]}. Choose a passphrase that only you know.`
              : "Your passphrase is set. One more step: your second factor."}
          </p>
        )}
        <div class="ways one">
          {problem !== null ? (
            <div class="stack center">
              <ErrorCard title="This invitation does not open" why={problem.message} code={problem.code} />
              <p class="center-row">
                <LinkButton href="/">Go to sign-in</LinkButton>
              </p>
            </div>
          ) : invite === null ? (
            <Skeleton rows={2} />
          ) : temp !== null ? (
            <CodeForm temp={temp} onBack={goHome} onDone={goHome} />
          ) : (
            <NewPassword action="Join" username={invite.username} onSubmit={accept}>
              <EndingWays
                ways={[
                  { kind: "keys", count: invite.lasting.keys },
                  { kind: "devices", count: invite.lasting.devices },
                  { kind: "passkeys", count: invite.lasting.passkeys },
                  { kind: "webdav", count: invite.lasting.webdav },
                ]}
                kept={kept}
                onKept={setKept}
              />
            </NewPassword>
          )}
        </div>
      </main>
    </Gate>
  );
}
