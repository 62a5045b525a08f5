import { useEffect, useState } from "preact/hooks";
import type { AppDetail, ConfigChange, ConfigChanged, ConfigPlan } from "../../../../src/node/apps/apps/contract.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Skeleton } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { PermissionChoices } from "./permission-choices.tsx";

/** What is to be different: what was chosen, or the value of one secret. */
type Wish = { change: ConfigChange } | { secret: AppDetail["secrets"][number] };

function askPlan({ id }: AppDetail, wish: Wish, signal: AbortSignal): Promise<ConfigPlan> {
  return "secret" in wish
    ? api("POST /api/apps/{id}/secrets/{name}/rotate/plan", { path: { id, name: wish.secret.key }, signal })
    : api("POST /api/apps/{id}/config/plan", { path: { id }, body: wish.change, signal });
}

function bringAbout({ id }: AppDetail, wish: Wish, permissions: string[]): Promise<ConfigChanged> {
  return "secret" in wish
    ? api("POST /api/apps/{id}/secrets/{name}/rotate", { path: { id, name: wish.secret.key }, body: { permissions } })
    : api("PUT /api/apps/{id}/config", { path: { id }, body: { ...wish.change, permissions } });
}

/** What a change of an app, or a new value of a secret, would do and restart; then does it. */
export function ChangeDialog({
  app,
  wish,
  onClose,
  onDone,
}: {
  app: AppDetail;
  wish: Wish;
  onClose: () => void;
  onDone: () => void;
}) {
  const secret = "secret" in wish ? wish.secret : null;
  const [plan, setPlan] = useState<ConfigPlan | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const [allowed, allow] = useState<string[]>([]);
  const attempt = useAttempt();
  const path = { id: app.id };
  useEffect(() => {
    const abort = new AbortController();
    setProblem(null);
    askPlan(app, wish, abort.signal).then(
      setPlan,
      (error: unknown) => !abort.signal.aborted && setProblem(asProblem(error)),
    );
    return () => abort.abort();
  }, [round]);
  const apply = async (): Promise<void> => {
    const { op_id } = await bringAbout(app, wish, allowed).catch((error: unknown) => {
      // Somebody was deployed since the plan: it says what there is to allow now.
      if (asProblem(error).code === "path_unconfirmed") setRound(round + 1);
      throw error;
    });
    toast(op_id === null ? `${app.display_name} is changed.` : `${app.display_name} is being changed.`, {
      state: op_id === null ? "ok" : "busy",
    });
    await resource("GET /api/apps/{id}", { path }).refresh();
    void resource("GET /api/apps").refresh();
    onDone();
  };
  return (
    <FormDialog
      title={secret ? `Renew a secret of ${app.display_name}` : `Change ${app.display_name}`}
      action={secret ? "Renew" : "Apply"}
      width="md"
      ready={plan?.ok === true && plan.changes.length > 0 && plan.to_confirm.every(({ id }) => allowed.includes(id))}
      attempt={attempt}
      onSubmit={() => void attempt.send(apply)}
      onClose={onClose}
    >
      {problem !== null && <ProblemCard problem={problem} what="The plan" retry={() => setRound(round + 1)} />}
      {plan === null && problem === null && <Skeleton rows={3} height={140} />}
      {plan !== null && <Planned app={app} plan={plan} />}
      {plan !== null && <PermissionChoices asked={plan.to_confirm} allowed={allowed} onAllowed={allow} />}
      {secret !== null && plan?.ok && (
        <p class="t13 c2">
          The new value is made by this server. Whoever uses the old one, a person or a program, needs the new one
          afterwards. If {app.display_name} does not work with it, it gets the old one back by itself.
        </p>
      )}
    </FormDialog>
  );
}

function Planned({ app, plan }: { app: AppDetail; plan: ConfigPlan }) {
  const notes = plan.checks.filter(({ status }) => status !== "ok");
  return (
    <>
      {plan.changes.length > 0 && (
        <dl class="dl changes">
          {plan.changes.map(({ kind, name, label, from, to }) => (
            <Change key={`${kind} ${name} ${label}`} label={label} text={changeText(from, to)} />
          ))}
        </dl>
      )}
      {plan.changes.length === 0 && plan.ok && <p class="c2">Nothing is different.</p>}
      {notes.map(({ id, status, detail, next_step }) => (
        <p class={status === "fail" ? "hint crit" : "hint"} key={id}>
          <Glyph state={status === "fail" ? "crit" : "warn"} />
          {detail} {next_step}
        </p>
      ))}
      {plan.ok && <p class="t13 c2">{restartText(app, plan)}</p>}
    </>
  );
}

const changeText = (from: string | null, to: string | null): string =>
  from === null && to === null ? "a new value" : `${from || "not set"} → ${to || "not set"}`;

function Change({ label, text }: { label: string; text: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </>
  );
}

function restartText(app: AppDetail, { restarts }: ConfigPlan): string {
  if (restarts.length > 0) {
    const all = restarts.length === app.services.length && restarts.length > 1;
    return `Restarts ${all ? "all of its containers" : restarts.join(", ")}; it does not answer for a moment. Its data stays.`;
  }
  if (app.status === "error" && app.installed_at !== null) return "It is started with this. Its data stays.";
  return app.status === "running" ? "Nothing is restarted." : "It holds from the next start on.";
}
