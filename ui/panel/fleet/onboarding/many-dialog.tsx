import { useState } from "preact/hooks";
import { Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";

const most = 10_000;
const hourMs = 3_600_000;
const terms: { value: string; label: string }[] = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

/** Makes a line for many servers and shows it, once. */
export function ManyDialog({
  onMade,
  onClose,
}: {
  /** Gets the moment at which the line was made. */
  onMade: (at: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [servers, setServers] = useState("10");
  const [hours, setHours] = useState("24");
  const [tags, setTags] = useState("");
  const [line, setLine] = useState<string | null>(null);
  const attempt = useAttempt();
  const max_uses = Number(servers);
  const isCount = Number.isInteger(max_uses) && max_uses >= 2 && max_uses <= most;
  const submit = (): void =>
    void attempt.send(async () => {
      const body = { name: name.trim(), expires_in_hours: Number(hours), max_uses, tags: readTags(tags) };
      const made = await api("POST /api/fleet/tokens", { body });
      setLine(made.install_command ?? made.command);
      // By the clock of the panel, which need not be that of this page.
      onMade(new Date(Date.parse(made.expires_at) - Number(hours) * hourMs).toISOString());
    });
  if (line !== null) {
    return (
      <ShownOnce
        title={name}
        sub={`For ${max_uses.toLocaleString("en")} servers. It is shown this once.`}
        label="The line to run on each of them"
        secret={line}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="A line for many servers"
      action="Add line"
      ready={name.trim() !== "" && isCount}
      attempt={attempt}
      refusal={attempt.besides("name", "tags", "max_uses")}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint="To know it by in this list and in the audit log."
        {...attempt.field("name", name, setName)}
        autocomplete="off"
        required
      />
      <Input
        label="Servers at most"
        type="number"
        min={2}
        max={most}
        value={servers}
        onValue={attempt.edits("max_uses", setServers)}
        error={isCount ? attempt.errorOf("max_uses") : `A whole number from 2 to ${most.toLocaleString("en")}.`}
      />
      <div class="field">
        <span class="label">Good for</span>
        <Select label="Good for" value={hours} options={terms} onValue={setHours} />
      </div>
      <Input
        label="Tags"
        hint="What each server begins with, parted by commas. May stay empty."
        {...attempt.field("tags", tags, setTags)}
        autocomplete="off"
        spellcheck={false}
      />
    </FormDialog>
  );
}

/** Tags as somebody types them: parted by commas or spaces. */
function readTags(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
