import { useEffect, useRef, useState } from "preact/hooks";
import type { Plan, ProjectDetail } from "../../../../src/node/apps/compose-projects/contract.ts";
import { setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner, Card, Skeleton } from "../../../kit/card.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { type Attempt, useAttempt } from "../../../parts/attempt.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { PlanCard } from "./plan-card.tsx";

const EXAMPLE = `services:
  web:
    image: nginx:1.29
    ports:
      - "8080:80"
    restart: unless-stopped
`;

/** The file of a project, new or deployed before. */
export function ProjectEditor({ name }: { name: string | null }) {
  return name === null || name === "new" ? <Editor name={null} file={EXAMPLE} env="" /> : <Known name={name} />;
}

function Known({ name }: { name: string }) {
  const known = useResource("GET /api/containers/compose/{name}", { path: { name } });
  // What is edited begins with an answer of now, and no later answer takes away what was typed.
  const [isNew, setNew] = useState(false);
  const opened = useRef<ProjectDetail | null>(null);
  useEffect(() => void known.load().then(() => setNew(true)), [known]);
  return (
    <Loaded of={known} what={name} skeleton={<Skeleton rows={8} />}>
      {(data) => {
        if (isNew) opened.current ??= data;
        if (opened.current === null) return <Skeleton rows={8} />;
        const { file, env, draft, found } = opened.current;
        return file === null ? (
          <Foreign name={name} found={found} />
        ) : (
          <Kept name={name} runs={{ file, env: env ?? "" }} draft={draft} />
        );
      }}
    </Loaded>
  );
}

/** A project that somebody else started, to be taken over with its own file. */
function Foreign({ name, found }: { name: string; found: (FileAndEnv & { path: string }) | null }) {
  return (
    <div class="stack">
      <Banner state="info">
        {found === null
          ? "This project was not started from here, and its file cannot be read. Paste the file that it was started with: what runs like that goes on without a restart."
          : `This is the file ${found.path} that the project was started with. What runs like that goes on without a restart.`}
      </Banner>
      <Editor name={name} file={found?.file ?? ""} env={found?.env ?? ""} />
    </div>
  );
}

type FileAndEnv = Pick<Texts, "file" | "env">;

/** A project's file, or the one whose deploy did not go well, which is offered to be corrected. */
function Kept({ name, runs, draft }: { name: string; runs: FileAndEnv; draft: FileAndEnv | null }) {
  const [isDraft, setDraft] = useState(false);
  const texts = isDraft && draft !== null ? draft : runs;
  return (
    <div class="stack">
      {draft !== null && (
        <Banner
          state="warn"
          action={
            <Button size="sm" onClick={() => setDraft(!isDraft)}>
              {isDraft ? "Show what runs" : "Correct the other file"}
            </Button>
          }
        >
          {isDraft
            ? "This file was not taken over, because its deploy did not go well. What runs is another one."
            : "The latest deploy was of another file and did not go well. This is the one that runs."}
        </Banner>
      )}
      <Editor key={String(isDraft)} name={name} runs={runs} {...texts} />
    </div>
  );
}

interface Texts {
  name: string;
  file: string;
  env: string;
}

function Editor({
  name,
  runs = null,
  ...before
}: {
  name: string | null;
  /** What the project is kept with now; nothing while it is not. */
  runs?: FileAndEnv | null;
  file: string;
  env: string;
}) {
  const [texts, setTexts] = useState<Texts>({ name: name ?? "", ...before });
  const [plan, setPlan] = useState<Plan | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const attempt = useAttempt();
  const edit = (change: Partial<Texts>): void => {
    setTexts({ ...texts, ...change });
    // What was shown is not what would be done any more.
    setPlan(null);
  };
  const check = (): Promise<boolean> =>
    attempt.send(async () => setPlan(await api("POST /api/containers/compose/plan", { body: texts })));
  const deploy = (confirmed: string[], pull: boolean): Promise<boolean> =>
    attempt.send(async () => {
      const body = { ...texts, plan: plan?.hash ?? "", confirmed, pull };
      const { op_id } = await api("POST /api/containers/compose", { body });
      setQuery({ op: op_id });
    });
  const goTo = (line: number, column: number): void => {
    const start =
      texts.file
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    const length = texts.file.split("\n")[line - 1]?.length ?? 0;
    area.current?.focus();
    area.current?.setSelectionRange(start + Math.max(0, column - 1), start + length);
  };
  return (
    <div class="composegrid">
      <Card
        title={name ?? "New Compose project"}
        foot={
          <>
            <Button onClick={() => setQuery({ project: null })}>Back</Button>
            <Button
              class="push"
              kind={plan?.hash == null ? "primary" : "default"}
              busy={attempt.busy && plan === null}
              disabled={texts.name === "" || texts.file.trim() === "" || attempt.wait > 0}
              onClick={() => void check()}
            >
              Show what this does
            </Button>
          </>
        }
      >
        <div class="card-b stack">
          {name === null && (
            <Input
              label="Name"
              {...attempt.field("name", texts.name, (value) => edit({ name: value }))}
              hint="Small letters, digits, dashes and underscores."
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
            />
          )}
          <Text
            label="Compose file"
            rows={16}
            value={texts.file}
            area={area}
            attempt={attempt}
            field="file"
            onValue={(value) => edit({ file: value })}
          />
          <Text
            label="Variables (.env)"
            rows={4}
            value={texts.env}
            attempt={attempt}
            field="env"
            onValue={(value) => edit({ env: value })}
          />
          {attempt.besides("name", "file", "env") !== null && attempt.problem !== null && (
            <Refusal problem={attempt.problem} wait={attempt.wait} />
          )}
        </div>
      </Card>
      {plan !== null && (
        <PlanCard
          plan={plan}
          texts={{ before: runs, after: texts }}
          busy={attempt.busy}
          onLine={goTo}
          onDeploy={(...chosen) => void deploy(...chosen)}
        />
      )}
    </div>
  );
}

function Text({
  label,
  rows,
  value,
  area,
  attempt,
  field,
  onValue,
}: {
  label: string;
  rows: number;
  value: string;
  area?: { current: HTMLTextAreaElement | null };
  attempt: Attempt;
  field: string;
  onValue: (value: string) => void;
}) {
  const error = attempt.errorOf(field);
  return (
    <Field label={label} error={error}>
      {({ id, describedBy }) => (
        <span class={`input area composetext ${error === null ? "" : "is-error"}`}>
          <textarea
            id={id}
            {...(area === undefined ? {} : { ref: area })}
            rows={rows}
            wrap="off"
            spellcheck={false}
            autocapitalize="off"
            aria-describedby={describedBy}
            aria-invalid={error === null ? undefined : true}
            value={value}
            onInput={(event) => attempt.edits(field, onValue)(event.currentTarget.value)}
          />
        </span>
      )}
    </Field>
  );
}
