import { SessionsCard } from "../../../parts/sessions-card.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { signOut } from "../../client/session.ts";

/** Where you are signed in to this server. */
export function OwnSessions() {
  return (
    <SessionsCard
      sessions={useResource("GET /api/auth/sessions")}
      signOut={signOut}
      endOne={(id) => api("DELETE /api/auth/sessions/{id}", { path: { id } })}
      endOthers={() => api("DELETE /api/auth/sessions")}
    />
  );
}
