import { useEffect, useState } from "preact/hooks";
import type { AppDetail, AppSecret } from "../../../../src/node/apps/apps/contract.ts";
import { Card } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { api } from "../../client/api.ts";
import { isAdmin } from "../../client/session.ts";

/** What the first visit to an app needs, below the heading that stands there. */
export function FirstRunNotes({ app }: { app: AppDetail }) {
  if (app.first_run === null) return null;
  return (
    <div class="stack firstrun">
      <h3 class="sub-h">For your first visit</h3>
      <FirstRun app={app} run={app.first_run} />
    </div>
  );
}

/** The same as a card of its own; nothing where the app needs nothing. */
export function FirstVisitCard({ app, ...card }: { app: AppDetail; class?: string }) {
  if (app.first_run === null) return null;
  return (
    <Card title="For your first visit" {...card}>
      <div class="card-b stack firstrun">
        <FirstRun app={app} run={app.first_run} />
      </div>
    </Card>
  );
}

/** A note, and the secrets to sign in with. */
function FirstRun({ app, run }: { app: AppDetail; run: NonNullable<AppDetail["first_run"]> }) {
  const keys = run.show ?? [];
  return (
    <>
      {run.note && <p class="t13 c2">{run.note}</p>}
      {keys.length > 0 && isAdmin() && <Secrets id={app.id} only={keys} />}
    </>
  );
}

/** The secrets made at install, each hidden until asked for. `only` names keys; all without it. */
export function Secrets({ id, only }: { id: string; only?: string[] }) {
  const [secrets, setSecrets] = useState<AppSecret[]>([]);
  useEffect(() => {
    let gone = false;
    void api("GET /api/apps/{id}/secrets", { path: { id } }).then(
      (list) => !gone && setSecrets(list),
      () => null,
    );
    return () => {
      gone = true;
    };
  }, [id]);
  return (
    <>
      {secrets
        .filter((secret) => only === undefined || only.includes(secret.key))
        .map((secret) => (
          <div class="field" key={secret.key}>
            <span class="label">{secret.label}</span>
            <CodeLine text={secret.value} secret />
          </div>
        ))}
    </>
  );
}
