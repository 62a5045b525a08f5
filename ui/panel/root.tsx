import { useEffect } from "preact/hooks";
import { offline } from "../client/connection.ts";
import { lazy } from "../client/lazy.ts";
import { navigate, path } from "../client/router.ts";
import { Unreachable, Waiting } from "../shell/frame.tsx";
import { RootFrame } from "../shell/root-frame.tsx";
import { user } from "./client/session.ts";
import { Shell } from "./shell/shell.tsx";

const SignIn = lazy(() => import("./people/accounts/signin.tsx").then((module) => module.SignIn));
const Register = lazy(() => import("./people/accounts/register.tsx").then((module) => module.Register));
const Forgot = lazy(() => import("./people/account-links/forgot.tsx").then((module) => module.Forgot));
const Welcome = lazy(() => import("./people/account-links/welcome.tsx").then((module) => module.Welcome));
const ConfirmEmail = lazy(() =>
  import("./people/email-proofs/confirm-email.tsx").then((module) => module.ConfirmEmail),
);
const FactorWanted = lazy(() => import("./people/factors/screens.ts").then((module) => module.FactorWanted));
const Join = lazy(() => import("./people/invitations/join.tsx").then((module) => module.Join));
const Land = lazy(() => import("./people/sso/land.tsx").then((module) => module.Land));
const SsoWanted = lazy(() => import("./people/sso/sso-wanted.tsx").then((module) => module.SsoWanted));
const Suspended = lazy(() => import("./people/workspaces/suspended.tsx").then((module) => module.Suspended));
const Consent = lazy(() => import("./fleet/oauth/consent.tsx").then((module) => module.ConsentScreen));

/** What is shown: a way in, or the shell with a screen. */
export function Root() {
  return (
    <RootFrame>
      <Page />
    </RootFrame>
  );
}

function Page() {
  const who = user.value;
  // Whoever follows such a link is about to be somebody else than who is signed in here.
  if (path.value === "/welcome") return <Welcome />;
  if (path.value === "/join") return <Join />;
  if (path.value === "/sso") return <Land />;
  if (who === undefined) return offline.value === null ? <Waiting /> : <Unreachable />;
  // Whoever signs in stays at the address they came for.
  if (who === null && path.value === "/forgot") return <Forgot />;
  if (who === null) return path.value === "/register" ? <Register /> : <SignIn />;
  // It counts from a session of the account alone, whatever else that session lacks.
  if (path.value === "/confirm-email") return <ConfirmEmail />;
  if (who.workspace_suspended) return <Suspended key={who.id} />;
  if (who.sso_required !== undefined) return <SsoWanted key={who.id} />;
  if (who.mfa_enrollment_required) return <FactorWanted key={who.id} />;
  if (path.value === "/oauth/authorize") return <Consent key={who.id} />;
  if (path.value === "/register" || path.value === "/forgot") return <GoHome />;
  return <Shell key={who.id} />;
}

/** For those who have an account and come by an old link to where one is made. */
function GoHome() {
  useEffect(() => navigate("/", { replace: true }), []);
  return null;
}
