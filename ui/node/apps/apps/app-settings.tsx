import { useState } from "preact/hooks";
import type { Setting } from "../../../../src/node/platform/settings/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import type { Resource } from "../../../client/resource.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Select, Switch } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";

const labels: Record<string, string> = {
  "apps.registry_mirror": "Registry mirror",
  "apps.registry_credentials": "Registry logins",
  "apps.publish_default": "Who reaches a new app",
  "apps.image_checks": "Look for newer images of containers",
};
const reaches = [
  { value: "visitor", label: "The network of whoever installs it" },
  { value: "loopback", label: "This server only" },
  { value: "lan", label: "Your network" },
];

/** Logins are added under Containers; those that were set here before can still be taken away. */
const isShown = ({ key, is_set }: Setting): boolean => key in labels && (key !== "apps.registry_credentials" || is_set);

/** Where images come from, and who reaches a new app. */
export function AppSettings() {
  const settings = useResource("GET /api/settings");
  return (
    <Card title="Apps" aside="for this server">
      <div class="card-b">
        <Loaded of={settings} what="Settings">
          {(list) => (
            <div class="settingslist">
              {list.filter(isShown).map((setting) => (
                <Row key={setting.key} setting={setting} settings={settings} />
              ))}
            </div>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

function Row({ setting, settings }: { setting: Setting; settings: Resource<Setting[]> }) {
  const [value, setValue] = useState(setting.value);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const label = labels[setting.key] ?? setting.key;
  const save = async (next: string): Promise<void> => {
    setBusy(true);
    setError(null);
    setValue(next);
    try {
      await api("PUT /api/settings/{key}", { path: { key: setting.key }, body: { value: next } });
      toast(`${label}: saved.`);
      await settings.refresh();
      if (setting.secret) setValue("");
    } catch (problem) {
      setError(asProblem(problem).message);
    } finally {
      setBusy(false);
    }
  };
  if (setting.key === "apps.publish_default") {
    return (
      <div class="field">
        <span class="label">{label}</span>
        <Select label={label} value={value} options={reaches} onValue={(next) => void save(next)} />
        <p class="hint">{error ?? "An app’s own choice comes first, and you can change it at each install."}</p>
      </div>
    );
  }
  if (setting.type === "flag")
    return (
      <Switch
        checked={value === "true"}
        disabled={busy}
        sub={error ?? `${setting.doc}.`}
        onChecked={(on) => void save(String(on))}
      >
        {label}
      </Switch>
    );
  const hint = setting.secret && setting.is_set ? `${setting.doc}. There are some; they are not shown.` : setting.doc;
  const field = { label, value, onValue: setValue, hint, error };
  return (
    <form
      class="settingrow"
      onSubmit={(event) => {
        event.preventDefault();
        void save(value);
      }}
    >
      {setting.secret ? (
        <Password {...field} autocomplete="off" />
      ) : (
        <Input {...field} autocomplete="off" spellcheck={false} />
      )}
      <Button type="submit" busy={busy} disabled={value === setting.value}>
        Save
      </Button>
      <Button kind="ghost" disabled={busy || !setting.is_set} onClick={() => void save(setting.default)}>
        Reset
      </Button>
    </form>
  );
}
