import { useState } from "preact/hooks";
import { navigate } from "../../../client/router.ts";
import { Segmented, Select, Switch } from "../../../kit/choice.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { type Draft, emptyDraft, readDraft } from "./draft.ts";
import { PreviewList, usePreview } from "./preview.tsx";
import { kindWords } from "./words.ts";

const isAppUpdate = ({ kind, verb }: Draft): boolean => kind === "app" && verb === "app.update";

/** What the field of the version is called. */
function nameOfTarget(draft: Draft): string {
  if (isAppUpdate(draft)) return "Version of the app";
  return draft.kind === "os_version" ? "Version" : "Short name of the change";
}

/** Composes a rollout: what, whom, in which stages and under which gates; shows who would take part before it begins. */
export function Composer({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const attempt = useAttempt();
  const groups = useResource("GET /api/fleet/groups").data.value ?? [];
  const input = readDraft(draft);
  const preview = usePreview(input);
  const set = (change: Partial<Draft>): void => setDraft((now) => ({ ...now, ...change }));
  const text = (name: keyof Draft & string, label: string, hint?: string, field: string = name) => (
    <Input
      label={label}
      value={String(draft[name])}
      onValue={attempt.edits(field, (value) => set({ [name]: value }))}
      error={attempt.errorOf(field)}
      hint={hint}
      autocomplete="off"
      spellcheck={false}
    />
  );
  const submit = async (): Promise<void> => {
    if (input === null) return;
    let id = "";
    const isDone = await attempt.send(async () => {
      ({ id } = await api("POST /api/fleet/rollouts", { body: input }));
    });
    if (isDone) navigate(`/rollouts/${id}`);
  };
  const nodes = preview.value?.nodes ?? 0;
  return (
    <FormDialog
      title="New rollout"
      sub="The first stage is sent at once."
      action={nodes > 0 ? `Begin with ${nodes.toLocaleString("en")} node${nodes === 1 ? "" : "s"}` : "Begin"}
      width="md"
      ready={input !== null && nodes > 0}
      attempt={attempt}
      refusal={attempt.besides("name", "target_version")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {text("name", "Name")}
      <div class="verbchoice">
        <Segmented
          label="What changes"
          size="wide"
          value={draft.kind}
          options={(["os_version", "app", "config"] as const).map((value) => ({ value, label: kindWords[value] }))}
          onValue={(kind) => set({ kind })}
        />
      </div>
      {text(
        "target_version",
        nameOfTarget(draft),
        draft.kind === "os_version"
          ? "Each server fetches the signed release itself, and goes back by itself when it does not start."
          : isAppUpdate(draft)
            ? "The newest of the servers’ catalogue; a server that does not offer it refuses."
            : "Such as 2026-11-web. It stands in the timeline.",
      )}
      {draft.kind === "app" && (
        <>
          {text("app", "Name of the app", "As the servers call it. Those without it are left out.")}
          <Field label="What the servers do">
            {() => (
              <Select
                label="What the servers do"
                value={draft.verb}
                options={[
                  { value: "app.update", label: "Update it; the way back brings its data too" },
                  { value: "app.restart", label: "Restart it" },
                  { value: "app.stop", label: "Stop it; the way back starts it" },
                  { value: "app.start", label: "Start it; the way back stops it" },
                ]}
                onValue={(verb) => set({ verb })}
              />
            )}
          </Field>
        </>
      )}
      {draft.kind === "config" && (
        <>
          {text("program", "Program that makes the change", "One out of ORRERY_PANEL_COMMANDS of the servers.")}
          {text("back", "Program that takes it back", "A rollout without a way back is not possible.")}
        </>
      )}
      <div class="rollpairs">
        <Field label="Group">
          {() => (
            <Select
              label="Group"
              value={draft.group}
              options={[
                { value: "", label: "All groups" },
                ...groups.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onValue={(group) => set({ group })}
            />
          )}
        </Field>
        {text("regions", "Regions", "Any of them; empty for all.")}
        {text("tags", "Tags", "All of them; empty for any.")}
        {text("seed", "Seed", "Another word puts the nodes into another order.")}
        {text("stages", "Stages, percent", "Rising, with 100 at the end.")}
        {text("soak", "Soak, minutes")}
        {text("errorRate", "Error rate below, %")}
        {text("cpu", "Processor p95 below, %")}
        {text("boots", "Failed boots at most")}
        {text("loss", "Silent nodes at most")}
      </div>
      <Switch checked={draft.auto} onChecked={(auto) => set({ auto })} sub="Otherwise somebody promotes each stage.">
        Go on by itself when the gates hold
      </Switch>
      <PreviewList preview={preview} isReady={input !== null} />
    </FormDialog>
  );
}
