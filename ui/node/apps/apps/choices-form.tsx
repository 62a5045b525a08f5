import { useState } from "preact/hooks";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { TemplateInputs } from "../templates/inputs.tsx";
import { reachChoices } from "../templates/reach-field.tsx";
import { isBusy } from "./app-state.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import {
  type Choices,
  changeOf,
  choicesOf,
  cpusFault,
  faultsOf,
  memoryFault,
  portChoices,
  portFault,
} from "./choices.ts";

/** Everything that can be changed of an installed app; nothing is changed before it was looked through. */
export function ChoicesForm({ app }: { app: AppDetail }) {
  const now = choicesOf(app);
  const [typed, type] = useState<Partial<Choices>>({});
  const [looking, look] = useState(false);
  const choices: Choices = {
    inputs: { ...now.inputs, ...typed.inputs },
    ports: { ...now.ports, ...typed.ports },
    reach: { ...now.reach, ...typed.reach },
    memory: { ...now.memory, ...typed.memory },
    cpus: { ...now.cpus, ...typed.cpus },
  };
  const set = <Key extends keyof Choices>(key: Key, more: Choices[Key]): void =>
    type({ ...typed, [key]: { ...typed[key], ...more } });
  const change = changeOf(now, choices);
  const isSame = Object.keys(change).length === 0;
  const isWrong = faultsOf(choices).length > 0;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame && !isWrong && !isBusy(app)) look(true);
      }}
    >
      {app.questions.length > 0 && (
        <Card title="Its own settings">
          <div class="card-b stack">
            <TemplateInputs
              inputs={app.questions}
              values={choices.inputs}
              onChange={(inputs) => type({ ...typed, inputs })}
            />
            {app.questions.some((question) => question.type === "password") && (
              <p class="hint">A password that you leave empty stays as it is.</p>
            )}
          </div>
        </Card>
      )}
      <Access app={app} choices={choices} set={set} />
      <Card title="Limits">
        <div class="card-b stack">
          {Object.keys(app.limits).map((service) => (
            <div class="two" key={service}>
              <Input
                label={`Memory of ${service}`}
                unit="MB"
                inputMode="numeric"
                value={choices.memory[service] ?? ""}
                onValue={(value) => set("memory", { [service]: value })}
                error={memoryFault(choices.memory[service] ?? "")}
              />
              <Input
                label={`Processors of ${service}`}
                unit="cores"
                value={choices.cpus[service] ?? ""}
                onValue={(value) => set("cpus", { [service]: value })}
                error={cpusFault(choices.cpus[service] ?? "")}
              />
            </div>
          ))}
          <p class="hint">Empty gives the app its own limit back, or none where it has none.</p>
        </div>
      </Card>
      <div class="btns">
        <Button kind="primary" type="submit" disabled={isSame || isWrong || isBusy(app)}>
          See what changes
        </Button>
        <Button kind="ghost" disabled={isSame} onClick={() => type({})}>
          Undo
        </Button>
        {isBusy(app) && <span class="t13 c3">Wait until what is under way is over.</span>}
      </div>
      {looking && (
        <ChangeDialog
          app={app}
          wish={{ change }}
          onClose={() => look(false)}
          onDone={() => {
            look(false);
            type({});
          }}
        />
      )}
    </form>
  );
}

function Access({
  app,
  choices,
  set,
}: {
  app: AppDetail;
  choices: Choices;
  set: <Key extends keyof Choices>(key: Key, more: Choices[Key]) => void;
}) {
  const ports = portChoices(app);
  return (
    <Card title="Ports">
      <div class="card-b stack">
        {ports.length === 0 && <p class="t13 c3">It has no ports at the moment; it gets them when it is started.</p>}
        {ports.map(({ key, label }) => (
          <div class="stack" key={key}>
            <Input
              label={`Port for ${label}`}
              inputMode="numeric"
              value={choices.ports[key] ?? ""}
              onValue={(value) => set("ports", { [key]: value })}
              error={portFault(choices.ports[key] ?? "")}
            />
            <div class="field">
              <span class="label">Who can reach {label}</span>
              <Segmented
                size="wide"
                label={`Who can reach ${label}`}
                value={choices.reach[key] ?? "loopback"}
                options={reachChoices}
                onValue={(value) => set("reach", { [key]: value })}
              />
            </div>
          </div>
        ))}
      </div>
    </Card>
  );
}
