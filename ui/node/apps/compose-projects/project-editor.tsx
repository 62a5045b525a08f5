import { useEffect, useRef, useState } from "preact/hooks";
import type { Plan, PlanProblem, ProjectDetail } from "../../../../src/node/apps/compose-projects/contract.ts";
import { setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner, Card, Skeleton } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { FurtherFiles, fieldsOf } from "./further-files.tsx";
import { PlanCard } from "./plan-card.tsx";
import { type Places, ProjectText } from "./project-text.tsx";
import type { ProjectTexts } from "./project-texts.ts";

const EXAMPLE = `services:
  web:
    image: nginx:1.29
    ports:
      - "8080:80"
    restart: unless-stopped
`;

const NONE: readonly PlanProblem[] = [];

/** The file of a project, new or deployed before. */
export function ProjectEditor({ name }: { name: string | null }) {
  return name === null || name === "new" ? (
    <Editor name={null} file={EXAMPLE} env="" files={[]} />
  ) : (
    <Known name={name} />
  );
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
        const { file, env, files, draft, found } = opened.current;
        return file === null ? (
          <Foreign name={name} found={found} />
        ) : (
          <Kept name={name} runs={{ file, env: env ?? "", files }} draft={draft} />
        );
      }}
    </Loaded>
  );
}

/** A project that somebody else started, to be taken over with its own file. */
function Foreign({ name, found }: { name: string; found: (ProjectTexts & { path: string }) | null }) {
  return (
    <div class="stack">
      <Banner state="info">
        {found === null
          ? "This project was not started from here, and its file cannot be read. Paste the file that it was started with: what runs like that goes on without a restart."
          : `This is the file ${found.path} that the project was started with. What runs like that goes on without a restart.`}
      </Banner>
      <Editor name={name} file={found?.file ?? ""} env={found?.env ?? ""} files={found?.files ?? []} />
    </div>
  );
}

/** A project's file, or the one whose deploy did not go well, which is offered to be corrected. */
function Kept({ name, runs, draft }: { name: string; runs: ProjectTexts; draft: ProjectTexts | null }) {
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

interface Texts extends ProjectTexts {
  name: string;
}

function Editor({
  name,
  runs = null,
  ...before
}: {
  name: string | null;
  /** What the project is kept with now; nothing while it is not. */
  runs?: ProjectTexts | null;
} & ProjectTexts) {
  const [texts, setTexts] = useState<Texts>({ name: name ?? "", ...before });
  const [plan, setPlan] = useState<Plan | null>(null);
  const places = useRef<Places>(new Map());
  const attempt = useAttempt();
  const problems = plan?.problems ?? NONE;
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
          <ProjectText
            label="Compose file"
            path="compose.yaml"
            rows={16}
            value={texts.file}
            hint="Tab indents. To leave with it, press Esc first."
            problems={problems}
            places={places.current}
            attempt={attempt}
            field="file"
            onValue={(value) => edit({ file: value })}
          />
          <ProjectText
            label="Variables (.env)"
            path=".env"
            rows={4}
            value={texts.env}
            problems={problems}
            places={places.current}
            attempt={attempt}
            field="env"
            onValue={(value) => edit({ env: value })}
          />
          <FurtherFiles
            files={texts.files}
            problems={problems}
            places={places.current}
            attempt={attempt}
            onFiles={(files) => edit({ files })}
          />
          {attempt.besides("name", "file", "env", ...fieldsOf(texts.files)) !== null && attempt.problem !== null && (
            <Refusal problem={attempt.problem} wait={attempt.wait} />
          )}
        </div>
      </Card>
      {plan !== null && (
        <PlanCard
          plan={plan}
          texts={{ before: runs, after: texts }}
          busy={attempt.busy}
          onLine={(file, line, column) => places.current.get(file)?.(line, column)}
          onDeploy={(...chosen) => void deploy(...chosen)}
        />
      )}
    </div>
  );
}
