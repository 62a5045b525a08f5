import { useState } from "preact/hooks";
import type { KeyCreated } from "../../../../src/node/people/keys/contract.ts";
import { Checkbox, Segmented, Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";

const scopes = "apps backups domains monitoring settings users alerts vpn security updates".split(" ");
const dayS = 86_400;
const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "0", label: "No expiry" },
];

/** Makes an API key: what it may use, how long; its text is shown once. */
export function KeyDialog({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [name, setName] = useState("");
  const [reach, setReach] = useState<"some" | "all">("some");
  const [chosen, choose] = useState<string[]>([]);
  const [days, setDays] = useState("90");
  const attempt = useAttempt();
  const [made, setMade] = useState<KeyCreated | null>(null);
  const ready = name.trim() !== "" && (reach === "all" || chosen.length > 0);

  const submit = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      scopes: reach === "all" ? "*" : chosen.join(","),
      expires_in: days === "0" ? null : Number(days) * dayS,
    };
    setMade(await api("POST /api/keys", { body }));
    onMade();
  };
  if (made !== null) {
    return <ShownOnce title={made.name} width="sm" label="API key" secret={made.key} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Add key"
      action="Add key"
      ready={ready}
      attempt={attempt}
      onSubmit={() => void attempt.send(submit)}
      onClose={onClose}
    >
      <Input
        label="Name"
        value={name}
        onValue={attempt.edits("name", setName)}
        hint="What will use it."
        autocomplete="off"
      />
      <fieldset class="field">
        <legend class="label">May use</legend>
        <Segmented
          label="May use"
          size="wide"
          value={reach}
          options={[
            { value: "some", label: "Only some areas" },
            { value: "all", label: "Everything" },
          ]}
          onValue={setReach}
        />
        {reach === "some" ? (
          <div class="scopes">
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                checked={chosen.includes(scope)}
                onChecked={(on) => choose(on ? [...chosen, scope] : chosen.filter((item) => item !== scope))}
              >
                {scope === "vpn" ? "VPN" : scope.charAt(0).toUpperCase() + scope.slice(1)}
              </Checkbox>
            ))}
          </div>
        ) : (
          <p class="hint">It can do whatever you can, also to accounts. Choose areas when you can.</p>
        )}
      </fieldset>
      <div class="field">
        <span class="label">Expires after</span>
        <Select label="Expires after" value={days} options={lives} onValue={setDays} />
      </div>
    </FormDialog>
  );
}
