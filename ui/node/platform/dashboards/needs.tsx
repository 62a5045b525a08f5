import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Badge, Glyph } from "../../../kit/status.tsx";
import { actOnApp } from "../../apps/apps/app-actions.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import type { Need } from "./verdict.ts";

/** What needs its owner, each with its fix as a button; nothing at all when all is well. */
export function Needs({ needs, onStorage }: { needs: Need[]; onStorage: () => void }) {
  if (needs.length === 0) return null;
  const title = (
    <>
      Needs attention <Badge>{needs.length}</Badge>
    </>
  );
  return (
    <Card class="needs" title={title}>
      <ul class="rows sep">
        {needs.map((need, index) => (
          <li class="item need" key={need.id}>
            <Glyph state={need.state} />
            <div class="body">
              <p class="title">{need.title}</p>
              <p class="sub">{need.sub}</p>
              {need.details !== null && (
                <details class="said">
                  <summary>Details</summary>
                  <p class="mono">{need.details}</p>
                </details>
              )}
            </div>
            <Fix need={need} first={index === 0} onStorage={onStorage} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Fix({ need, first, onStorage }: { need: Need; first: boolean; onStorage: () => void }) {
  const kind = first ? "primary" : "default";
  const { fix } = need;
  if (fix.kind === "storage") {
    return (
      <Button size="sm" kind={kind} onClick={onStorage}>
        See disks
      </Button>
    );
  }
  if (fix.kind === "runtime") {
    return (
      <Button size="sm" kind={kind} onClick={() => void resource("GET /api/system/runtime").refresh()}>
        Check again
      </Button>
    );
  }
  if (fix.kind === "backups") {
    return (
      <LinkButton size="sm" kind={kind} href="/backups">
        See backups
      </LinkButton>
    );
  }
  if (fix.kind === "alert") {
    return (
      <LinkButton size="sm" kind={kind} href={`/alerts?tab=events&event=${fix.id}`}>
        See alert
      </LinkButton>
    );
  }
  if (fix.kind === "logs" || !isAdmin()) {
    return (
      <LinkButton size="sm" kind={kind} href={isAdmin() ? `/apps/${fix.app.id}?tab=logs` : `/apps/${fix.app.id}`}>
        {isAdmin() ? "See the log" : "See app"}
      </LinkButton>
    );
  }
  if (fix.kind === "limits") {
    return (
      <LinkButton size="sm" kind={kind} href={`/apps/${fix.app.id}?tab=settings`}>
        Raise limit
      </LinkButton>
    );
  }
  const { app, kind: act } = fix;
  return (
    <Button size="sm" kind={kind} onClick={() => void actOnApp(app, act)}>
      {fix.kind === "retry" ? "Install again" : "Start"}
    </Button>
  );
}
