import { useEffect, useState } from "preact/hooks";
import type { AppDetail, ConfigChange, ConfigPlan } from "../../../../src/node/apps/apps/contract.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Skeleton } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

/** What a change of an app would do and restart; then does it. */
export function ChangeDialog({
  app,
  change,
  onClose,
  onDone,
}: {
  app: AppDetail;
  change: ConfigChange;
  onClose: () => void;
  onDone: () => void;
}) {
  const [plan, setPlan] = useState<ConfigPlan | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const attempt = useAttempt();
  const path = { id: app.id };
  useEffect(() => {
    const abort = new AbortController();
    setProblem(null);
    api("POST /api/apps/{id}/config/plan", { path, body: change, signal: abort.signal }).then(
      setPlan,
      (error: unknown) => !abort.signal.aborted && setProblem(asProblem(error)),
    );
    return () => abort.abort();
  }, [round]);
  const apply = async (): Promise<void> => {
    const { op_id } = await api("PUT /api/apps/{id}/config", { path, body: change });
    toast(op_id === null ? `${app.display_name} is changed.` : `${app.display_name} is being changed.`, {
      state: op_id === null ? "ok" : "busy",
    });
    await resource("GET /api/apps/{id}", { path }).refresh();
    void resource("GET /api/apps").refresh();
    onDone();
  };
  return (
    <FormDialog
      title={`Change ${app.display_name}`}
      action="Apply"
      width="md"
      ready={plan?.ok === true && plan.changes.length > 0}
      attempt={attempt}
      onSubmit={() => void attempt.send(apply)}
      onClose={onClose}
    >
      {problem !== null && <ProblemCard problem={problem} what="The plan" retry={() => setRound(round + 1)} />}
      {plan === null && problem === null && <Skeleton rows={3} height={140} />}
      {plan !== null && <Planned app={app} plan={plan} />}
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
  from === null && to === null ? "changed" : `${from || "not set"} → ${to || "not set"}`;

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
