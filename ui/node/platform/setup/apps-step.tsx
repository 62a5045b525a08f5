import { useState } from "preact/hooks";
import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { megabytes } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { isOnServer } from "../../apps/apps/app-state.ts";
import { RuntimeBanner } from "../../apps/runtime/runtime-banner.tsx";
import { TemplateTile } from "../../apps/templates/app-tile.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { loadLockInfo, lockInfo } from "../../client/session.ts";
import { Stage } from "./frame.tsx";
import type { SetupState } from "./setup.tsx";
import { chooseStarters, type Fit, fitOf } from "./starters.ts";

const hues = ["var(--c1)", "var(--c4)", "var(--c3)", "var(--c2)", "var(--c5)", "var(--c6)"];

interface StepProps {
  state: SetupState;
  change: (part: Partial<SetupState>) => void;
  onBack: () => void;
  onInstalling: () => void;
}

/** Starter apps, measured against this machine's free memory. */
export function AppsStep({ state, change, onBack, onInstalling }: StepProps) {
  const templates = useResource("GET /api/templates");
  useResource("GET /api/templates/categories");
  const runtime = useResource("GET /api/system/runtime").data.value;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const total = templates.data.value?.length ?? 0;
  const blocked = runtime !== null && runtime.state !== "ok";

  const finish = async (picks: Template[]): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const reply = await api("POST /api/setup/node", {
        body: {
          name: state.name,
          mode: state.mode,
          starter_apps: picks.map((pick) => pick.name),
          // On loopback they could not be opened from another machine, from which this server is being set up.
          ...(isOnServer() ? {} : { publish: "lan" }),
        },
      });
      const info = lockInfo.peek();
      if (info !== null) lockInfo.value = { ...info, hostname: reply.hostname };
      void loadLockInfo();
      if (picks.length === 0) return navigate("/");
      change({ started: reply.apps });
      onInstalling();
    } catch (problem) {
      setError(asProblem(problem).message);
    } finally {
      setBusy(false);
    }
  };
  const count = state.picks.length;
  return (
    <Stage
      title="Start with a few apps"
      lede={
        total > 6
          ? `These run well on most machines. The store has ${total - 6} more.`
          : "You can add more at any time."
      }
      onSubmit={() => finish(blocked ? [] : state.picks)}
      foot={
        <>
          <button type="button" class="link" disabled={busy} onClick={() => finish([])}>
            Skip for now
          </button>
          <span class="row push">
            <Button onClick={onBack}>Back</Button>
            <Button type="submit" kind="primary" busy={busy}>
              {count === 0 || blocked ? "Finish" : count === 1 ? "Install 1 app" : `Install ${count} apps`}
            </Button>
          </span>
        </>
      }
    >
      <RuntimeBanner />
      <Loaded of={templates} what="Catalogue" skeleton={<Skeleton rows={4} tile height={300} />}>
        {(list) => <Picks offered={chooseStarters(list)} state={state} change={change} />}
      </Loaded>
      {error !== null && (
        <p class="hint crit" role="alert">
          <Glyph state="crit" />
          {error}
        </p>
      )}
    </Stage>
  );
}

function Picks({ offered, state, change }: { offered: Template[]; state: SetupState; change: StepProps["change"] }) {
  const chosen = new Set(state.picks.map((pick) => pick.name));
  const toggle = (template: Template): void =>
    change({
      picks: chosen.has(template.name)
        ? state.picks.filter((pick) => pick.name !== template.name)
        : [...state.picks, template],
    });
  return (
    <>
      <div class="picks">
        {offered.map((template) => (
          <Pick
            key={template.name}
            template={template}
            checked={chosen.has(template.name)}
            onToggle={() => toggle(template)}
          />
        ))}
      </div>
      <FitBar picks={state.picks} />
      {!isOnServer() && (
        <p class="t13 c3">Everybody on your network can open these apps, as you are on another machine.</p>
      )}
    </>
  );
}

function Pick({ template, checked, onToggle }: { template: Template; checked: boolean; onToggle: () => void }) {
  const detail = useResource("GET /api/templates/{name}", { path: { name: template.name } }).data.value;
  const categories = resource("GET /api/templates/categories").data.value ?? [];
  const category = categories.find((item) => item.id === template.category)?.name ?? template.category;
  const need = detail === null ? "" : `, ${megabytes(detail.needs.ram_mb)}`;
  return (
    <label class="pickc">
      <TemplateTile template={template} />
      <span class="col">
        <b class="cut">{template.display_name}</b>
        <span class="t13 c3 cut">
          {category}
          {need}
        </span>
      </span>
      <input type="checkbox" class="check" checked={checked} onChange={onToggle} />
    </label>
  );
}

function FitBar({ picks }: { picks: Template[] }) {
  const metrics = useResource("GET /api/system/metrics/current").data.value;
  if (metrics === null) return null;
  const details = picks.flatMap(
    (pick) => resource("GET /api/templates/{name}", { path: { name: pick.name } }).data.value ?? [],
  );
  const fit = fitOf(details, metrics.memory.total_mb - metrics.memory.used_mb);
  const words = { well: "Fits well", tight: "Fits, but it will be tight", not: "More than this machine has free" };
  const glyph: Record<Fit["verdict"], State> = { well: "ok", tight: "warn", not: "crit" };
  return (
    <div class="card fits">
      <p class="row t13">
        <Glyph state={glyph[fit.verdict]} />
        <span class="w5">{picks.length === 0 ? "Nothing chosen yet" : words[fit.verdict]}</span>
        <span class="push c2">
          Uses {megabytes(fit.needed)} of {megabytes(fit.free)} free memory
        </span>
      </p>
      <span class="bar parts" aria-hidden="true">
        {details.map((detail, index) => (
          <i
            key={detail.name}
            style={{
              "--k": hues[index % hues.length] ?? "",
              width: `${Math.min(100, (detail.needs.ram_mb / Math.max(1, fit.free)) * 100)}%`,
            }}
          />
        ))}
        <i class="rest" />
      </span>
      {details.length > 0 && (
        <p class="legend">
          {details.map((detail, index) => (
            <span key={detail.name}>
              <i style={{ "--k": hues[index % hues.length] ?? "" }} />
              {detail.display_name}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
