import { useEffect } from "preact/hooks";
import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import type { NodeSetupResult } from "../../../../src/node/platform/setup/contract.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Tile } from "../../../kit/icon.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { type State, Status } from "../../../kit/status.tsx";
import { actOnApp } from "../../apps/apps/app-actions.ts";
import { appState } from "../../apps/apps/app-state.ts";
import { startEvents } from "../../client/events.ts";
import { useResource } from "../../client/resource.ts";
import { useOperation } from "../operations/operation.ts";
import { Stage } from "./frame.tsx";

/** The starter apps on their way; the reader may leave, it keeps going. */
export function InstallStep({ reply, picks }: { reply: NodeSetupResult; picks: Template[] }) {
  useEffect(startEvents, []);
  const apps = useResource("GET /api/apps", { everyMs: 3000 }).data.value ?? [];
  const started = reply.apps.flatMap((item) => ("app_id" in item ? [item.app_id] : []));
  const ready = started.filter((id) => apps.find((app) => app.id === id)?.status === "running").length;
  const done = ready === started.length;
  return (
    <Stage
      title={done ? "All set" : "Installing"}
      lede={
        done
          ? "Your apps are running. Open them from the home page."
          : `${ready} of ${started.length} ready. You may leave, it keeps going.`
      }
      onSubmit={() => navigate("/")}
      foot={
        <span class="push">
          <Button type="submit" kind="primary">
            {done ? "Go to the home page" : "Continue in the background"}
          </Button>
        </span>
      }
    >
      <ul class="card rows">
        {reply.apps.map((item) => {
          const template = picks.find((pick) => pick.name === item.template);
          return <InstallRow key={item.template} template={template} item={item} />;
        })}
      </ul>
    </Stage>
  );
}

function InstallRow({ template, item }: { template: Template | undefined; item: NodeSetupResult["apps"][number] }) {
  const apps = useResource("GET /api/apps").data.value ?? [];
  const app = "app_id" in item ? apps.find((found) => found.id === item.app_id) : undefined;
  const view = useOperation(app?.op_id ?? null);
  const running = view.steps.find((step) => step.status === "running");
  const finished = view.steps.filter((step) => step.status === "done").length;
  const part = running?.percent ?? (running?.bytesTotal ? ((running.bytesDone ?? 0) / running.bytesTotal) * 100 : 0);
  const percent = view.steps.length === 0 ? null : ((finished + part / 100) / view.steps.length) * 100;
  const refused = "error" in item ? item.error : null;
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
        ) : (
          <Status state={state}>{refused ?? app?.cause ?? (app === undefined ? "" : appState(app).word)}</Status>
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
