import { useRef, useState } from "preact/hooks";
import type { Template, TemplateList } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { Chip } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { isAdmin } from "../../client/session.ts";
import { kindOf } from "./channel-kinds.ts";
import { PreviewLook } from "./preview-look.tsx";
import { usePreview } from "./use-preview.ts";

/** One text to edit, beside what becomes of it. */
export function TemplateEditor({
  template,
  texts,
  onSaved,
}: {
  template: Template;
  texts: Pick<TemplateList, "variables" | "recent_events">;
  onSaved: (saved: Template) => void;
}) {
  const [subject, setSubject] = useState(template.subject);
  const [body, setBody] = useState(template.body);
  const [eventId, setEventId] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  const attempt = useAttempt();
  const { kind, channel_type } = template;
  const { preview, problem } = usePreview({ kind, channel_type, subject, body }, eventId);
  const mayChange = isAdmin();
  const isChanged = subject !== template.subject || body !== template.body;
  const faultOf = (field: string): string | null => (problem?.params["field"] === field ? problem.message : null);
  const other = problem !== null && problem.field !== "subject" && problem.field !== "body" ? problem : null;

  const save = async (): Promise<void> => {
    onSaved(await api("PUT /api/alerting/templates", { body: { kind, channel_type, subject, body } }));
    toast("The text is saved. What is queued already keeps its words.");
  };
  const takeBack = async (): Promise<void> => {
    const saved = await api("PUT /api/alerting/templates", { body: { kind, channel_type } });
    setSubject(saved.subject);
    setBody(saved.body);
    onSaved(saved);
    toast("Orrery’s own text is back.");
  };
  const insert = (name: string): void => {
    const at = area.current?.selectionStart ?? body.length;
    const end = area.current?.selectionEnd ?? at;
    setBody(`${body.slice(0, at)}{{${name}}}${body.slice(end)}`);
    area.current?.focus();
  };
  return (
    <div class="templategrid">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && problem === null) void attempt.send(save);
        }}
      >
        <Input
          label={channel_type === "email" ? "Subject" : "First line"}
          value={subject}
          onValue={attempt.edits("subject", setSubject)}
          error={faultOf("subject") ?? attempt.errorOf("subject")}
          disabled={!mayChange}
          autocomplete="off"
        />
        <Field
          label="Text"
          error={faultOf("body") ?? attempt.errorOf("body")}
          hint="A line whose variable has no value is left out. Formatting is the channel’s; your text is shown as it is."
        >
          {({ id, describedBy }) => (
            <span class={`input area ${mayChange ? "" : "is-off"}`}>
              <textarea
                ref={area}
                id={id}
                rows={8}
                maxLength={4000}
                aria-describedby={describedBy}
                value={body}
                disabled={!mayChange}
                onInput={(event) => attempt.edits("body", setBody)(event.currentTarget.value)}
              />
            </span>
          )}
        </Field>
        {mayChange && (
          <div class="field">
            <span class="label">Insert</span>
            <div class="chiprow">
              {texts.variables.map(({ name, meaning }) => (
                <button key={name} type="button" class="chip pick" data-tip={meaning} onClick={() => insert(name)}>
                  {name}
                </button>
              ))}
            </div>
          </div>
        )}
        {attempt.besides("subject", "body") !== null && attempt.problem !== null && (
          <Refusal problem={attempt.problem} />
        )}
        {mayChange && (
          <div class="row">
            <Button kind="primary" type="submit" busy={attempt.busy} disabled={!isChanged || problem !== null}>
              Save
            </Button>
            {template.is_custom && <Button onClick={() => void attempt.send(takeBack)}>Back to Orrery’s text</Button>}
          </div>
        )}
      </form>
      <section class="stack" aria-label="Preview">
        <p class="row">
          <span class="label">In {kindOf(channel_type).name}</span>
          {preview?.is_cut === true && <Chip state="warn">cut to fit</Chip>}
        </p>
        {other !== null && <Refusal problem={other} />}
        <div aria-live="polite">
          {preview === null ? (
            problem === null && <Skeleton rows={3} />
          ) : (
            <PreviewLook type={channel_type} preview={preview} />
          )}
        </div>
        {preview === null && problem !== null && <p class="t12 c3">Shown once the text is right.</p>}
        <ShownWith events={texts.recent_events} value={eventId} onValue={setEventId} />
      </section>
    </div>
  );
}

/** Which alert the preview tells of. */
function ShownWith({
  events,
  value,
  onValue,
}: {
  events: TemplateList["recent_events"];
  value: string;
  onValue: (eventId: string) => void;
}) {
  if (events.length === 0) return <p class="t12 c3">Shown with a made-up alert.</p>;
  const options = events.map(({ event_id, title }) => ({ value: event_id, label: title }));
  return (
    <div class="field">
      <span class="label">Shown with</span>
      <Select
        label="Shown with"
        size="sm"
        value={value}
        options={[{ value: "", label: "A made-up alert" }, ...options]}
        onValue={onValue}
      />
    </div>
  );
}
