import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { ErrorCard } from "../../../kit/card.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { api } from "../../client/api.ts";
import type { Routes } from "../../client/routes.ts";
import { updateUser } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";

type Confirmed = Routes["POST /api/auth/email/confirm"]["out"];

/**
 * Where a letter leads, for whoever is signed in. Its token is in the fragment; it is used by a press, as some programs open every link
 * of a letter.
 */
export function ConfirmEmail() {
  const [token] = useState(() => location.hash.slice(1));
  const [done, setDone] = useState<Confirmed | null>(null);
  const attempt = useAttempt();
  useEffect(() => {
    document.title = "Confirm your address, Orrery";
  }, []);
  const confirm = (): void =>
    void attempt.send(async () => {
      setDone(await api("POST /api/auth/email/confirm", { body: { token: token === "" ? "-" : token } }));
      await api("GET /api/auth/me").then(updateUser, () => null);
    });
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>{done === null ? "Confirm your address" : "Confirmed"}</Hello>
        <div class="ways one">
          {done !== null ? (
            <div class="stack center">
              <p class="c2 mid">
                {done.changed ? "You sign in with " : "We know now that you read "}
                <b class="cut">{done.email}</b>
                {done.changed ? " from now on." : "."}
              </p>
              <p class="center-row">
                <LinkButton href="/">Go on</LinkButton>
              </p>
            </div>
          ) : attempt.problem !== null && attempt.wait === 0 ? (
            <div class="stack center">
              <ErrorCard {...refusalOf(attempt.problem)} why={attempt.problem.message} code={attempt.problem.code} />
              <p class="center-row">
                <LinkButton href="/profile">Go to your profile</LinkButton>
              </p>
            </div>
          ) : (
            <div class="stack center">
              <p class="c2 mid">One press, and this panel knows that you read what is sent to it.</p>
              <p class="center-row">
                <Button kind="primary" busy={attempt.busy} disabled={attempt.wait > 0} onClick={confirm}>
                  Confirm this address
                </Button>
              </p>
            </div>
          )}
        </div>
      </main>
    </Gate>
  );
}

/** Whoever is signed in as somebody else needs no other link. */
const refusalOf = ({ code }: Problem) =>
  code === "email_sign_in_first"
    ? { title: "You are signed in to another account" }
    : { title: "This link does not open", remedy: "Under Profile you can have another one sent." };
