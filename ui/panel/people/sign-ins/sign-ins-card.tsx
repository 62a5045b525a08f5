import { SessionsCard } from "../../../parts/sessions-card.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { signOut } from "../../client/session.ts";
import { cameThroughWorkspace } from "../../client/token.ts";

/** Where you are signed in with your account, in all your workspaces; nothing where a workspace's own sign-in let you in. */
export const SignInsCard = () => (cameThroughWorkspace() ? null : <OwnSignIns />);

function OwnSignIns() {
  return (
    <SessionsCard
      sessions={useResource("GET /api/auth/sessions")}
      signOut={signOut}
      endOne={(id) => api("DELETE /api/auth/sessions/{id}", { path: { id } })}
      endOthers={() => api("DELETE /api/auth/sessions")}
    />
  );
}
