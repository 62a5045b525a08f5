import { useState } from "preact/hooks";
import type { Backup } from "../../../../src/node/backups/backups/contract.ts";
import type { RestoredApp, RestorePlan } from "../../../../src/node/backups/backups/restore-contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { SegmentedField } from "../../../kit/segmented-field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { PermissionChoices } from "../../apps/apps/permission-choices.tsx";
import { api } from "../../client/api.ts";
import { AppChoice, type Named } from "./run-dialog.tsx";
import { Told } from "./told.tsx";

type Mode = RestorePlan["mode"];

const HINTS: Record<Mode, string> = {
  over: "Their data becomes what it was. What it is now is backed up before, so that you can come back to it; each app is stopped meanwhile.",
  beside:
    "A new app gets the data as it was, with the same version, settings and secrets, and ports of its own. The one that is there runs on, untouched.",
};
/** A name for the new app that says what it is. */
export const nameBeside = (name: string, startedAt: string): string =>
  `${name.slice(0, 29)}-${startedAt.slice(0, 10).replaceAll("-", "")}`.slice(0, 40);

interface Asked {
  backup: Backup;
  onClose: () => void;
  onBegun: (opId: string) => void;
}

/** Asks which apps are put back and how, and shows what that changes before it does. */
export function RestoreDialog({ apps, ...asked }: Asked & { apps: readonly Named[] }) {
  const there = apps.filter(({ id }) => asked.backup.apps.includes(id));
  if (there.length > 0) return <Choice {...asked} there={there} />;
  const { id, started_at, apps: gone } = asked.backup;
  return (
    <Dialog
      title="No app of it is here"
      sub={`The backup of ${moment(started_at)}.`}
      width="sm"
      onClose={asked.onClose}
      foot={
        <>
          <Button class="push" onClick={asked.onClose}>
            Close
          </Button>
          <LinkButton kind="primary" href={`/backups/${id}`}>
            Open its files
          </LinkButton>
        </>
      }
    >
      <p>
        {gone.length === 1 ? "The app in it" : `None of the ${gone.length} apps in it`} is {gone.length === 1 && "not "}
        installed here any more, so there is nothing to put back over or beside. Its files are all there: look through
        them, and download what you need.
      </p>
    </Dialog>
  );
}

function Choice({ backup, there, onClose, onBegun }: Asked & { there: readonly Named[] }) {
  const [mode, setMode] = useState<Mode>("over");
  // What is not asked for is not replaced: of several none goes back until it is chosen.
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(there.length > 1 ? there.map(({ id }) => id) : []),
  );
  const [one, setOne] = useState(there[0]?.id ?? "");
  const [typed, setTyped] = useState<string | null>(null);
  const [plan, setPlan] = useState<RestorePlan | null>(null);
  const [allowed, allow] = useState<string[]>([]);
  const attempt = useAttempt();
  const asked = plan?.to_confirm ?? [];
  const chosen = there.map(({ id }) => id).filter((id) => !left.has(id));
  const name = typed ?? nameBeside(there.find(({ id }) => id === one)?.name ?? "", backup.started_at);
  const body = mode === "over" ? { mode, apps: chosen } : { mode, apps: [one], name: name.trim() };
  const path = { id: backup.id };
  const change = (apply: () => void) => {
    apply();
    setPlan(null);
    allow([]);
  };
  const look = async () => setPlan(await api("POST /api/backups/{id}/restore/plan", { path, body }));
  const begin = async (): Promise<void> => {
    const send = { path, body: mode === "over" ? body : { ...body, permissions: allowed } };
    try {
      onBegun((await api("POST /api/backups/{id}/restore", send)).op_id);
    } catch (error) {
      // The plan says what there is to allow.
      if (asProblem(error).code === "path_unconfirmed") await look();
      throw error;
    }
  };
  return (
    <FormDialog
      title="Put apps back"
      sub={`As they were on ${moment(backup.started_at)}.`}
      action={mode === "over" ? "Put back" : "Make the new app"}
      danger={mode === "over"}
      width="md"
      ready={
        mode === "over"
          ? chosen.length > 0
          : one !== "" && name.trim() !== "" && asked.every(({ id }) => allowed.includes(id))
      }
      attempt={attempt}
      refusal={attempt.besides("name")}
      aside={
        <Button busy={attempt.busy} onClick={() => void attempt.send(look)}>
          See what changes
        </Button>
      }
      onSubmit={() => void attempt.send(begin)}
      onClose={onClose}
    >
      <SegmentedField
        label="Where to"
        value={mode}
        options={[
          { value: "over", label: "Over what is there" },
          { value: "beside", label: "Beside it" },
        ]}
        onValue={(value) => change(() => setMode(value))}
      />
      <p class="t13 c3">{HINTS[mode]}</p>
      {mode === "over" ? (
        <AppChoice apps={there} left={left} onLeft={(next) => change(() => setLeft(next))} />
      ) : (
        <>
          <Select
            label="App"
            value={one}
            options={there.map((app) => ({ value: app.id, label: app.name }))}
            onValue={(value) => change(() => setOne(value))}
          />
          <Input
            label="Name of the new app"
            {...attempt.field("name", name, (value) => change(() => setTyped(value)))}
            hint="Small letters, digits and dashes."
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
          />
        </>
      )}
      {there
        .filter(({ id }) => backup.half.includes(id) && (mode === "over" ? chosen.includes(id) : id === one))
        .map((app) => (
          <p key={app.id}>
            <Told state="warn">{`${app.name} was not whole when this backup was made. An older one may have all of it.`}</Told>
          </p>
        ))}
      {plan !== null && <Foreseen plan={plan} />}
      <PermissionChoices asked={asked} allowed={allowed} onAllowed={allow} />
    </FormDialog>
  );
}

const FROM: Record<RestoredApp["volumes"][number]["from"], string> = {
  files: "gets its files back",
  dump: "is filled from the dump",
  nothing: "is not in this backup",
};

function sayVolume({ name, from, size_bytes, service }: RestoredApp["volumes"][number], mode: Mode): string {
  const rest = from === "nothing" ? (mode === "over" ? " and stays as it is" : " and begins empty") : "";
  const of = service === null ? "" : ` of ${service}`;
  return `${name} ${FROM[from]}${of}${rest}${size_bytes === null ? "" : `, ${bytesText(size_bytes)}`}.`;
}

/** What would change, app by app. */
function Foreseen({ plan: { mode, apps } }: { plan: RestorePlan }) {
  return (
    <div class="backupforeseen" role="status">
      {apps.map(({ app, name, becomes, bytes_now, volumes, ports, notes }) => (
        <section key={app}>
          <strong>
            {mode === "over"
              ? `${name}${bytes_now === null ? "" : `, ${bytesText(bytes_now)} now`}`
              : `${becomes}, new beside ${name}`}
          </strong>
          <ul>
            {volumes.map((volume) => (
              <li key={volume.name}>{sayVolume(volume, mode)}</li>
            ))}
            {ports.map(({ service, container, host }) => (
              <li key={`${service}:${container}`}>{`Port ${host} leads to ${container} of ${service}.`}</li>
            ))}
          </ul>
          {notes.map((note) => (
            <p key={note}>
              <Told state="warn">{note}</Told>
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}
