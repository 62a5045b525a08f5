import { useState } from "preact/hooks";
import type { Setting } from "../../../../src/node/platform/settings/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { loadLockInfo, lockInfo } from "../../client/session.ts";
import { nameProblem } from "../setup/name.ts";

const KEY = "node.name";

/** What this server is called, here and in the panel. */
export function ServerNameCard() {
  const settings = useResource("GET /api/settings");
  return (
    <Card title="Name of this server" aside="for everybody">
      <div class="card-b">
        <Loaded of={settings} what="Settings">
          {(list) => {
            const setting = list.find(({ key }) => key === KEY);
            return setting ? <NameForm setting={setting} onSaved={() => void settings.refresh()} /> : null;
          }}
        </Loaded>
      </div>
    </Card>
  );
}

function NameForm({ setting, onSaved }: { setting: Setting; onSaved: () => void }) {
  const [name, setName] = useState(setting.value);
  const attempt = useAttempt();
  const wrong = name === "" ? null : nameProblem(name);
  const save = (next: string): void =>
    void attempt.send(async () => {
      await api("PUT /api/settings/{key}", { path: { key: KEY }, body: { value: next } });
      setName(next);
      toast(next === "" ? "The host’s own name is shown again." : `This server is now called ${next}.`);
      const info = lockInfo.peek();
      if (next !== "" && info !== null) lockInfo.value = { ...info, hostname: next };
      else await loadLockInfo();
      onSaved();
    });
  return (
    <form
      class="settingrow"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null && !attempt.busy) save(name);
      }}
    >
      <Input
        label="Name"
        value={name}
        onValue={attempt.edits("value", (value) => setName(value.toLowerCase()))}
        hint="Letters, digits and hyphens. Empty shows the host’s own name; the host itself keeps its name."
        error={wrong}
        autocomplete="off"
        spellcheck={false}
      />
      <Button type="submit" busy={attempt.busy} disabled={name === setting.value || wrong !== null}>
        Save
      </Button>
      <Button kind="ghost" disabled={attempt.busy || setting.value === ""} onClick={() => save("")}>
        Reset
      </Button>
      {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
    </form>
  );
}
