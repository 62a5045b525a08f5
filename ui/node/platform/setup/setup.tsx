import { useEffect, useState } from "preact/hooks";
import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import type { NodeMode } from "../../../../src/node/platform/identity/contract.ts";
import type { StarterApp } from "../../../../src/node/platform/setup/contract.ts";
import { navigate, query } from "../../../client/router.ts";
import type { Body } from "../../../kit/orbit-layout.ts";
import { resource, useResource } from "../../client/resource.ts";
import { lockInfo, user } from "../../client/session.ts";
import { AppsStep } from "./apps-step.tsx";
import { SetupFrame } from "./frame.tsx";
import { InstallStep } from "./install-step.tsx";
import { NameStep } from "./name-step.tsx";
import { OwnerStep } from "./owner-step.tsx";
import { keepStarted, recallStarted } from "./started.ts";

/** What the wizard has gathered so far. */
export interface SetupState {
  name: string;
  mode: NodeMode;
  picks: Template[];
  /** What became of the orders of apps; null before any. */
  started: StarterApp[] | null;
}

/** Where the typed name is until it is sent. */
const typedKey = "orrery.setup.name";

const order = ["owner", "name", "apps", "install"];

/** First run: owner, name and mode, starter apps, installing. The orrery beside it fills as apps are chosen. */
export function Setup() {
  const hostname = lockInfo.value?.hostname ?? "";
  const [state, setState] = useState<SetupState>({
    name: sessionStorage.getItem(typedKey) ?? hostname,
    mode: "server",
    picks: [],
    started: recallStarted(),
  });
  const known = user.value;
  const wanted = query.value.get("step") ?? "name";
  const step = !known
    ? "owner"
    : wanted === "install" && state.started === null
      ? "apps"
      : order.includes(wanted) && wanted !== "owner"
        ? wanted
        : "name";
  const change = (part: Partial<SetupState>): void => {
    // Whoever goes back from here leaves the wizard, and may come again.
    if (part.name !== undefined) sessionStorage.setItem(typedKey, part.name);
    if (part.started) {
      sessionStorage.removeItem(typedKey);
      keepStarted(part.started);
    }
    setState((before) => ({ ...before, ...part }));
  };
  const go = (next: string): void => navigate(`/setup?step=${next}`);
  useEffect(() => {
    document.title = "Set up, Orrery";
  }, []);
  const categories = resource("GET /api/templates/categories").data.value ?? [];
  const bodies: Body[] = state.picks.map((pick) => ({
    id: pick.name,
    name: pick.display_name,
    ring: categories.find((category) => category.id === pick.category)?.name ?? pick.category,
    memory: 0.8,
    processor: 12,
    state: "ok",
  }));
  return (
    <SetupFrame
      step={step}
      title={step === "owner" ? "Orrery" : state.name || "Orrery"}
      bodies={bodies}
      facts={known ? <Found owner={known.username} /> : null}
    >
      {step === "owner" && <OwnerStep onDone={() => navigate("/setup?step=name", { replace: true })} />}
      {step === "name" && <NameStep state={state} change={change} onNext={() => go("apps")} />}
      {step === "apps" && (
        <AppsStep
          state={state}
          change={change}
          onBack={() => go("name")}
          onInstalling={() => navigate("/setup?step=install", { replace: true })}
        />
      )}
      {step === "install" && state.started !== null && <InstallStep started={state.started} />}
    </SetupFrame>
  );
}

function Found({ owner }: { owner: string }) {
  const facts = useResource("GET /api/system/overview").data.value;
  const runtime = useResource("GET /api/system/runtime").data.value;
  return (
    <dl class="cap">
      <dt>Address</dt>
      <dd>{location.host}</dd>
      <dt>Owner</dt>
      <dd>{owner}</dd>
      {facts !== null && (
        <>
          <dt>Found</dt>
          <dd>
            {facts.cpu_model || facts.arch}, {facts.cpu_threads} {facts.cpu_threads === 1 ? "thread" : "threads"}
            <br />
            {Math.round(facts.ram_total_bytes / 2 ** 30)} GB memory, {facts.os}
            {runtime !== null && (
              <>
                <br />
                {runtime.state === "ok" ? `Docker ${runtime.version ?? ""}` : runtime.message}
              </>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}
