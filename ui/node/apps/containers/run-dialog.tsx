import { useState } from "preact/hooks";
import { Segmented } from "../../../kit/choice.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { readEnvironment, readPorts, readVolumes } from "./run-words.ts";
import { WorkDialog } from "./work-dialog.tsx";

/** Asks what to run, then shows how that goes. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const [image, setImage] = useState("");
  const [name, setName] = useState("");
  const [ports, setPorts] = useState("");
  const [reach, setReach] = useState<"loopback" | "lan">("loopback");
  const [environment, setEnvironment] = useState("");
  const [volumes, setVolumes] = useState("");
  const [opId, setOpId] = useState<string | null>(null);
  const attempt = useAttempt();
  const read = {
    ports: readPorts(ports, reach),
    environment: readEnvironment(environment),
    volumes: readVolumes(volumes),
  };
  if (opId !== null)
    return (
      <WorkDialog
        titles={{ running: `Running ${name}`, done: `${name} is running`, failed: `${name} could not be run` }}
        subject={image.trim()}
        opId={opId}
        refreshes="GET /api/containers"
        again={() => setOpId(null)}
        onClose={onClose}
      />
    );
  const submit = () =>
    attempt.send(async () => {
      if (!read.ports.ok || !read.environment.ok || !read.volumes.ok) return;
      const body = {
        image: image.trim(),
        name: name.trim(),
        ports: read.ports.value,
        environment: read.environment.value,
        volumes: read.volumes.value,
      };
      setOpId((await api("POST /api/containers", { body })).op_id);
    });
  return (
    <FormDialog
      title="Run a container"
      width="md"
      action="Run"
      ready={image.trim() !== "" && name.trim() !== "" && read.ports.ok && read.environment.ok && read.volumes.ok}
      attempt={attempt}
      refusal={attempt.besides("image", "name")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Image"
        value={image}
        onValue={attempt.edits("image", setImage)}
        hint="Such as nginx:1.29 or ghcr.io/owner/name:tag. It is pulled when it is not here."
        error={
          attempt.errorOf("image") && "Write it as Docker does: registry/name:tag, in lower case, without https://."
        }
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
      />
      <Input
        label="Name"
        value={name}
        onValue={attempt.edits("name", setName)}
        error={attempt.errorOf("name") && "Letters, digits, dots, dashes and underscores; not beginning with orrery-."}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
      />
      <Lines
        label="Ports"
        value={ports}
        onValue={setPorts}
        hint="One a line, on this server and inside: 8080:80"
        error={read.ports.ok ? null : read.ports.problem}
      />
      {ports.trim() !== "" && (
        <Segmented
          size="wide"
          label="Who reaches the ports"
          value={reach}
          options={[
            { value: "loopback", label: "This server only" },
            { value: "lan", label: "Its whole network" },
          ]}
          onValue={setReach}
        />
      )}
      <Lines
        label="Environment"
        value={environment}
        onValue={setEnvironment}
        hint="One a line: NAME=value. What looks like a password is never shown again."
        error={read.environment.ok ? null : read.environment.problem}
      />
      <Lines
        label="Volumes"
        value={volumes}
        onValue={setVolumes}
        hint="One a line, its name and the path inside: data:/var/lib/data. It is made when it is not there."
        error={read.volumes.ok ? null : read.volumes.problem}
      />
    </FormDialog>
  );
}

function Lines({
  label,
  value,
  onValue,
  hint,
  error,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint: string;
  error: string | null;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <span class={`input area ${error === null ? "" : "is-error"}`}>
          <textarea
            id={id}
            rows={2}
            spellcheck={false}
            aria-describedby={describedBy}
            aria-invalid={error === null ? undefined : true}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        </span>
      )}
    </Field>
  );
}
