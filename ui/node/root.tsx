import { useEffect } from "preact/hooks";
import { offline } from "../client/connection.ts";
import { lazy } from "../client/lazy.ts";
import { matchPath, path } from "../client/router.ts";
import { useDuties } from "../shell/feature.ts";
import { Unreachable, Waiting } from "../shell/frame.tsx";
import { RootFrame } from "../shell/root-frame.tsx";
import { startEvents } from "./client/events.ts";
import { lockedSince } from "./client/lock.ts";
import { isAdmin, left, lockInfo, user } from "./client/session.ts";
import { page } from "./features.ts";
import { Shell } from "./shell/shell.tsx";

/** Pages of which a visit sees at most one, and rarely. */
const onDemand = { ahead: false };

const SignIn = lazy(() => import("./people/sign-ins/signin.tsx").then((module) => module.SignIn));
const LeftSession = lazy(
  () => import("./people/sign-ins/left-session.tsx").then((module) => module.LeftSession),
  onDemand,
);
const Setup = lazy(() => import("./platform/setup/setup.tsx").then((module) => module.Setup), onDemand);
const Invite = lazy(() => import("./people/invites/invite.tsx").then((module) => module.AcceptInvite), onDemand);
const FirstPassword = lazy(() => import("./people/auth/first-password.tsx").then((module) => module.FirstPassword));
const LockScreen = lazy(() => import("./people/lock/lock-screen.tsx").then((module) => module.LockScreen));
const SharedPage = lazy(() => import("./storage/shares/shared-page.tsx").then((module) => module.SharedPage), onDemand);
const Kit = lazy(() => import("./kit/kit.tsx").then((module) => module.Kit), onDemand);

/** What is shown: the first-run wizard, the sign-in page, or the shell with a screen. */
export function Root() {
  return (
    <RootFrame>
      <Page />
    </RootFrame>
  );
}

function Page() {
  if (matchPath("/__ui", path.value) !== null) return <Kit />;
  // For people without an account, and the same for those who have one.
  const shared = matchPath("/s/:token", path.value);
  if (shared !== null) return <SharedPage token={shared["token"] ?? ""} />;
  const who = user.value;
  const info = lockInfo.value;
  if (who === undefined || (who === null && info === null))
    return offline.value === null ? <Waiting /> : <Unreachable />;
  if (path.value === "/invite" && info !== null) return <Invite />;
  if (who === null) {
    if (info?.setup_required === true) return <Setup />;
    return left.value === null ? <SignIn /> : <LeftSession {...left.value} />;
  }
  if (who.must_change_password === true) return <FirstPassword />;
  if (path.value === "/setup" && isAdmin()) return <Setup />;
  return <SignedIn key={who.id} />;
}

function SignedIn() {
  useEffect(startEvents, []);
  useDuties(page);
  useEffect(LockScreen.prefetch, []);
  const isLocked = lockedSince.value !== null;
  return (
    <>
      <Shell />
      {isLocked ? <LockScreen /> : page.prompts.map((Prompt, index) => <Prompt key={index} />)}
    </>
  );
}
