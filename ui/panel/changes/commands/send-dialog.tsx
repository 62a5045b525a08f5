import { useState } from "preact/hooks";
import { navigate } from "../../../client/router.ts";
import { Segmented, Select } from "../../../kit/choice.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { useResource } from "../../client/resource.ts";
import { beginJob } from "../bulk-jobs/begin.ts";
import { asked, type Target, type Verb } from "./ask.ts";
import { NodePicker } from "./node-picker.tsx";
import { Results } from "./results.tsx";
import { type Sent, sendCommand } from "./send.ts";
import { manyNodes, targetsText, verbLook } from "./words.ts";

const close = (): void => {
  asked.value = null;
};

/** Asks which node, what, and whether that is meant; sends it, and shows what becomes of it. */
export function SendDialog() {
  const now = asked.value;
  const [picked, pick] = useState<Target | null>(null);
  const [done, setDone] = useState<{ title: string; sent: Sent } | null>(null);
  if (now === null) return null;
  const nodes = now.nodes.length > 0 ? now.nodes : picked === null ? [] : [picked];
  if (nodes.length === 0) return <NodePicker title={verbLook[now.verb].title} onPick={pick} onClose={close} />;
  if (done !== null) return <Results {...done} nodes={nodes} onClose={close} />;
  return <SendForm first={now.verb} nodes={nodes} onSent={(title, sent) => setDone({ title, sent })} />;
}

interface SendFormProps {
  first: Verb;
  nodes: readonly Target[];
  onSent: (title: string, sent: Sent) => void;
}

const verbs: readonly Verb[] = ["update", "restart", "run", "refresh"];

function SendForm({ first, nodes, onSent }: SendFormProps) {
  const [verb, setVerb] = useState(first);
  const [version, setVersion] = useState("");
  const [app, setApp] = useState("");
  const [program, setProgram] = useState("");
  const [typed, setTyped] = useState("");
  const attempt = useAttempt();
  const only = nodes.length === 1 ? nodes[0] : undefined;
  const away = nodes.filter(({ health }) => health === "offline").length;
  const name = targetsText(nodes);
  const { command, params, isWhole } = callOf(verb, { version, app, program });
  const isMany = nodes.length >= manyNodes;
  const isMeant = !isMany || typed.trim() === String(nodes.length);
  const { act, label } = verbLook[verb];
  const send = async (): Promise<void> => {
    if (!isMany) return onSent(`${label}: ${name}`, await sendCommand(nodes, command, params));
    const id = await beginJob(nodes, command, params);
    close();
    navigate(`/jobs/${id}`);
  };
  const submit = (): void => void attempt.send(send);
  return (
    <FormDialog
      title={only === undefined ? `Send a command to ${name}` : `Send a command to ${only.hostname}`}
      sub={awayText(nodes.length, away)}
      action={`${act} ${name}`}
      width="md"
      ready={isWhole && isMeant}
      attempt={attempt}
      onSubmit={submit}
      onClose={close}
    >
      <div class="verbchoice">
        <Segmented
          label="What to do"
          value={verb}
          options={verbs.map((value) => ({ value, label: verbLook[value].label }))}
          onValue={setVerb}
          size="wide"
        />
      </div>
      {verb === "update" && (
        <Input
          label="Version"
          value={version}
          onValue={setVersion}
          hint="Empty for the version of this panel. Each server fetches the signed release itself and goes back by itself when it does not start."
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {verb === "restart" && only !== undefined && <AppOf id={only.id} app={app} onApp={setApp} />}
      {verb === "restart" && only === undefined && (
        <Input
          label="Name of the app"
          value={app}
          onValue={setApp}
          hint="As the servers call it. A server without such an app is left out and named."
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {verb === "run" && (
        <Input
          label="Name of the program"
          value={program}
          onValue={setProgram}
          hint="One out of ORRERY_PANEL_COMMANDS, the list that the owner of a server makes there. It is never a line for a shell."
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {verb === "refresh" && (
        <p class="c2">The servers tell again what they are made of and what runs on them. It changes nothing there.</p>
      )}
      {isMany && (
        <Input
          label={`Type ${nodes.length} to confirm the number of nodes`}
          value={typed}
          onValue={setTyped}
          inputMode="numeric"
          autocomplete="off"
        />
      )}
    </FormDialog>
  );
}

function awayText(all: number, away: number): string | undefined {
  if (away === 0) return undefined;
  if (all === 1) return "It is offline: it gets the command when it comes back within a day.";
  return `${away.toLocaleString("en")} of them offline: those get it when they come back within a day.`;
}

/** The call that a form makes, and whether it has all that the call needs. */
function callOf(verb: Verb, { version, app, program }: Record<"version" | "app" | "program", string>) {
  const [target, name] = [app.trim(), program.trim()];
  switch (verb) {
    case "update":
      return { command: "update", params: version.trim() === "" ? {} : { version: version.trim() }, isWhole: true };
    case "restart":
      return { command: "restart", params: { app: target }, isWhole: target !== "" };
    case "run":
      return { command: "run_command", params: { command: name }, isWhole: name !== "" };
    case "refresh":
      return { command: "inventory.refresh", params: {}, isWhole: true };
  }
}

/** The apps of one node to choose from. */
function AppOf({ id, app, onApp }: { id: string; app: string; onApp: (name: string) => void }) {
  const detail = useResource("GET /api/fleet/instances/{id}/detail", { path: { id } }).data.value;
  if (detail !== null && detail.apps.length === 0)
    return <p class="c2">This server has told of no app that could be restarted.</p>;
  const options = [
    { value: "", label: detail === null ? "Loading…" : "Choose an app" },
    ...(detail?.apps ?? []).map(({ name }) => ({ value: name, label: name })),
  ];
  return <Field label="App">{() => <Select label="App" value={app} options={options} onValue={onApp} />}</Field>;
}
