import { useEffect } from "preact/hooks";
import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import type { StarterApp } from "../../../../src/node/platform/setup/contract.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Tile } from "../../../kit/icon.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { Glyph, type State, Status } from "../../../kit/status.tsx";
import { actOnApp } from "../../apps/apps/app-actions.ts";
import { appState } from "../../apps/apps/app-state.ts";
import { startEvents } from "../../client/events.ts";
import { useResource } from "../../client/resource.ts";
import { useOperation } from "../operations/operation.ts";
import { Stage } from "./frame.tsx";
import { forgetStarted, tellStarted } from "./started.ts";

/** The starter apps on their way; the reader may leave, it keeps going. */
export function InstallStep({ started }: { started: StarterApp[] }) {
  useEffect(startEvents, []);
  const apps = useResource("GET /api/apps", { everyMs: 3000 }).data.value ?? [];
  const templates = useResource("GET /api/templates").data.value ?? [];
  const isRunning = (id: string): boolean => apps.find((app) => app.id === id)?.status === "running";
  const { isDone, title, lede } = tellStarted(started, isRunning);
  const leave = (): void => {
    forgetStarted();
    navigate("/");
  };
  return (
    <Stage
      title={title}
      lede={lede}
      onSubmit={leave}
      foot={
        <span class="push">
          <Button type="submit" kind="primary">
            {isDone ? "Go to the home page" : "Continue in the background"}
          </Button>
        </span>
      }
    >
      <ul class="card rows">
        {started.map((item) => {
          const template = templates.find(({ name }) => name === item.template);
          return <InstallRow key={item.template} template={template} item={item} />;
        })}
      </ul>
    </Stage>
  );
}

function InstallRow({ template, item }: { template: Template | undefined; item: StarterApp }) {
  const apps = useResource("GET /api/apps").data.value ?? [];
  const app = "app_id" in item ? apps.find((found) => found.id === item.app_id) : undefined;
  const view = useOperation(app?.op_id ?? null);
  const running = view.steps.find((step) => step.status === "running");
  const finished = view.steps.filter((step) => step.status === "done").length;
  const part = running?.percent ?? (running?.bytesTotal ? ((running.bytesDone ?? 0) / running.bytesTotal) * 100 : 0);
  const percent = view.steps.length === 0 ? null : ((finished + part / 100) / view.steps.length) * 100;
  const refused = "error" in item ? item.error : null;
  const reason = refused ?? app?.cause ?? null;
  const missing: State = refused === null ? "busy" : "crit";
  const state = app === undefined ? missing : appState(app).state;
  return (
    <li class="item">
      <Tile icon={template?.icon ?? "box"} hue={template?.category ?? ""} />
      <div class="body">
        <p class="title">{template?.display_name ?? item.template}</p>
        {state === "busy" ? (
          <div class="stepbar">
            <Progress value={percent} label={`Installing ${template?.display_name ?? item.template}`} />
            <span class="t13 c3 cut">{running?.title ?? "Waiting"}</span>
          </div>
        ) : reason === null ? (
          <Status state={state}>{app === undefined ? "" : appState(app).word}</Status>
        ) : (
          <p class={`hint ${state}`}>
            <Glyph state={state} />
            {reason}
          </p>
        )}
      </div>
      {app !== undefined && state === "crit" && (
        <Button size="sm" onClick={() => void actOnApp(app, "retry")}>
          Try again
        </Button>
      )}
    </li>
  );
}
