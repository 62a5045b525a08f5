import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AppConfig, InstallPlan, Reach } from "../../../../src/node/apps/apps/contract.ts";
import type { TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";
import { duration } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { Checks } from "./checks.tsx";
import { defaultInputs, type InputValues, TemplateInputs } from "./inputs.tsx";
import type { Started } from "./install-dialog.tsx";
import { KeptDataField } from "./kept-data-field.tsx";
import { reachOfPorts } from "./reach.ts";
import { ReachField } from "./reach-field.tsx";
import { Permissions } from "./template-drawer.tsx";

interface FormProps {
  template: TemplateDetail;
  /** The app whose kept data is to be taken up again. */
  restore: string | undefined;
  lead: ComponentChildren;
  onStarted: (started: Started) => void;
  onClose: () => void;
}

/** Name, choices and the checks that the server makes before anything is changed. */
export function InstallForm({ template, restore: wished, lead, onStarted, onClose }: FormProps) {
  const [name, setName] = useState<string | null>(null);
  const [inputs, setInputs] = useState<InputValues>(() => defaultInputs(template.inputs));
  const [ports, setPorts] = useState<Record<string, number>>({});
  const [reach, setReach] = useState<Reach | null>(null);
  const [restore, setRestore] = useState<string | null | undefined>(wished);
  /** Ids of what was allowed: what a later check adds has not been read yet. */
  const [allowedIds, setAllowedIds] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const config: AppConfig = { inputs, ports, permissions: template.permissions.map((permission) => permission.id) };
  if (reach !== null) config.reach = reachOfPorts(template.ports, reach);
  const { plan, planProblem, checking, again } = usePlan(template.name, name, config, restore);
  const asked = plan?.permissions ?? template.permissions;
  const askedIds = asked.map((permission) => permission.id).join("\n");
  const allowed = allowedIds === askedIds;
  const shownName = name ?? plan?.name ?? "";
  const fails = plan?.checks.filter((check) => check.status === "fail" && check.id !== "permissions") ?? [];
  const nameCheck = plan?.checks.find((check) => check.id === "name");

  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const reply = await api("POST /api/apps", {
        body: {
          template: template.name,
          name: shownName,
          config: { ...config, permissions: asked.map((permission) => permission.id) },
          restore: restore ?? plan?.restore ?? null,
        },
      });
      void resource("GET /api/apps").refresh();
      onStarted({ appId: reply.id, opId: reply.op_id });
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  const foot = (
    <>
      <span class="t13 c3 cut">{footText(plan, fails.length, checking)}</span>
      <Button class="push" onClick={onClose}>
        Cancel
      </Button>
      <Button
        kind="primary"
        busy={busy}
        disabled={plan === null || fails.length > 0 || (asked.length > 0 && !allowed) || shownName === ""}
        onClick={submit}
      >
        Install
      </Button>
    </>
  );
  return (
    <Dialog
      title={`Install ${template.display_name}`}
      sub={`Version ${template.version}`}
      lead={lead}
      onClose={onClose}
      foot={foot}
    >
      <div class="stack">
        <Input
          label="Name"
          value={shownName}
          onValue={(value) => setName(value.toLowerCase())}
          autocomplete="off"
          spellcheck={false}
          error={nameCheck?.status === "fail" ? `${nameCheck.detail} ${nameCheck.next_step ?? ""}`.trim() : null}
        />
        {plan !== null && plan.kept.length > 0 && (
          <KeptDataField kept={plan.kept} value={restore === undefined ? plan.restore : restore} onValue={setRestore} />
        )}
        <TemplateInputs inputs={template.inputs} values={inputs} onChange={setInputs} />
        {planProblem !== null && plan === null ? (
          <ProblemCard problem={planProblem} what="Checks" retry={again} />
        ) : plan === null ? (
          <Skeleton rows={4} height={200} />
        ) : (
          <Checks plan={plan} ports={ports} onPort={(key, port) => setPorts({ ...ports, [key]: port })} />
        )}
        {template.ports.length > 0 && plan !== null && (
          <ReachField value={reach ?? plan.publish} checks={plan.checks} onValue={setReach} />
        )}
        <Permissions permissions={asked} />
        {asked.length > 0 && (
          <Checkbox checked={allowed} onChecked={(isAllowed) => setAllowedIds(isAllowed ? askedIds : null)}>
            I allow this
          </Checkbox>
        )}
        {template.secrets.length > 0 && (
          <p class="hint">
            <Glyph state="ok" />
            Made for you at install: {template.secrets.map((secret) => secret.label).join(", ")}. You find them on the
            app’s page.
          </p>
        )}
        {problem !== null && (
          <p class="hint crit" role="alert">
            <Glyph state="crit" />
            {problem.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function footText(plan: InstallPlan | null, fails: number, checking: boolean): string {
  if (plan === null || checking) return "Checking…";
  if (fails > 0) return fails === 1 ? "One check does not pass" : `${fails} checks do not pass`;
  return plan.estimate_seconds === null ? "" : `Takes about ${duration(plan.estimate_seconds)}`;
}

/** Asks the server for its checks, again 400 ms after the last change. */
function usePlan(template: string, name: string | null, config: AppConfig, restore: string | null | undefined) {
  const [state, setState] = useState<{ plan: InstallPlan | null; planProblem: Problem | null; checking: boolean }>({
    plan: null,
    planProblem: null,
    checking: true,
  });
  const [round, setRound] = useState(0);
  const first = useRef(true);
  const key = JSON.stringify([template, name, config, restore ?? String(restore), round]);
  useEffect(() => {
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      setState((before) => ({ ...before, checking: true }));
      const body = {
        template,
        config,
        ...(name === null || name === "" ? {} : { name }),
        ...(restore === undefined ? {} : { restore }),
      };
      try {
        const plan = await api("POST /api/apps/plan", { body, signal: abort.signal });
        setState({ plan, planProblem: null, checking: false });
      } catch (error) {
        if (!abort.signal.aborted)
          setState((before) => ({ ...before, planProblem: asProblem(error), checking: false }));
      }
    };
    const timer = setTimeout(() => void ask(), first.current ? 0 : 400);
    first.current = false;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return { ...state, again: () => setRound(round + 1) };
}
