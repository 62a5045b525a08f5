import { useState } from "preact/hooks";
import type { Plan, PlanAction, PlanPart, PlanProblem } from "../../../../src/node/apps/compose-projects/contract.ts";
import { count } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { FileDiff } from "./file-diff.tsx";
import { listChanges, type ProjectTexts } from "./project-texts.ts";

const WORDS: Record<PlanAction["action"], { state: State; word: string }> = {
  create: { state: "info", word: "is made and started" },
  change: { state: "warn", word: "is made anew" },
  keep: { state: "ok", word: "stays as it is" },
  remove: { state: "crit", word: "is removed" },
};

const PART_WORDS: Record<PlanPart["action"], { state: State; word: string }> = {
  create: { state: "info", word: "is made" },
  change: { state: "warn", word: "is made anew; what is in it stops for a moment" },
  keep: { state: "ok", word: "stays as it is" },
  remove: { state: "crit", word: "is removed" },
};

/** One slip of a hand can be a problem of each line; whoever mends these sees the next. */
const MOST_PROBLEMS = 50;

/** What a deploy would do, what is wrong with the file, and what has to be confirmed. */
export function PlanCard({
  plan: { hash, problems, adopts, actions, parts, dangers, notes },
  busy,
  texts,
  onLine,
  onDeploy,
}: {
  plan: Plan;
  busy: boolean;
  /** The texts as they run and as they are to be; no former ones of a project that is new here. */
  texts: { before: ProjectTexts | null; after: ProjectTexts };
  onLine: (file: string, line: number, column: number) => void;
  onDeploy: (confirmed: string[], pull: boolean) => void;
}) {
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [pull, setPull] = useState(false);
  if (hash === null)
    return (
      <Card title="This file cannot be deployed" aside={count(problems.length, "problem")}>
        <ul class="rows">
          {problems.slice(0, MOST_PROBLEMS).map((problem, index) => (
            <Problem key={index} problem={problem} onLine={onLine} />
          ))}
          {problems.length > MOST_PROBLEMS && (
            <li class="item">{`These are the first ${MOST_PROBLEMS}. Mend them to see what is left.`}</li>
          )}
        </ul>
      </Card>
    );
  const isThere = actions.some(({ action }) => action === "keep" || action === "change");
  const open = dangers.filter(({ id }) => !confirmed.includes(id));
  return (
    <Card
      title="What this does"
      foot={
        <Button
          kind="primary"
          class="push"
          busy={busy}
          disabled={open.length > 0}
          onClick={() => onDeploy([...confirmed], pull)}
        >
          {adopts ? "Take over" : "Deploy"}
        </Button>
      }
    >
      <ul class="rows">
        {actions.map(({ action, service, container, changed }) => (
          <li class="item" key={container}>
            <Glyph state={WORDS[action].state} />
            <div class="body">
              <p class="title">
                {service} {WORDS[action].word}
              </p>
              <p class="sub">{changed.length === 0 ? container : `Other than before: ${changed.join(", ")}`}</p>
            </div>
          </li>
        ))}
        {parts.map(({ kind, name, on_engine, action, changed }) => (
          <li class="item" key={`${kind} ${on_engine}`}>
            <Glyph state={PART_WORDS[action].state} />
            <div class="body">
              <p class="title">
                {kind === "network" ? "Network" : "Volume"} {name} {PART_WORDS[action].word}
              </p>
              <p class="sub">{changed.length === 0 ? on_engine : `Other than before: ${changed.join(", ")}`}</p>
            </div>
          </li>
        ))}
      </ul>
      {texts.before !== null &&
        listChanges(texts.before, texts.after).map(({ title, before, after }) => (
          <FileDiff key={title} title={title} before={before} after={after} />
        ))}
      {notes.length > 0 && (
        <ul class="card-b stack" aria-label="Worth knowing">
          {notes.map(({ text }) => (
            <li class="row" key={text}>
              <Glyph state="info" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {(dangers.length > 0 || isThere) && (
        <div class="card-b stack">
          {dangers.map(({ id, text }) => (
            <Checkbox
              key={id}
              checked={confirmed.includes(id)}
              onChecked={(on) => setConfirmed(on ? [...confirmed, id] : confirmed.filter((one) => one !== id))}
            >
              {text}
            </Checkbox>
          ))}
          {isThere && (
            <Checkbox checked={pull} onChecked={setPull}>
              Get newer images of the same names first, and make anew what has one
            </Checkbox>
          )}
        </div>
      )}
    </Card>
  );
}

function Problem({
  problem: { file, line, column, key, message, next_step },
  onLine,
}: {
  problem: PlanProblem;
  onLine: (file: string, line: number, column: number) => void;
}) {
  return (
    <li class="item">
      <Glyph state="crit" />
      <div class="body">
        <p class="title">
          {key === "" ? file : key}: {message}
          {key !== "" && file !== "compose.yaml" && <span class="c3"> ({file})</span>}
        </p>
        <p class="sub">{next_step}.</p>
      </div>
      {line > 0 && (
        <Button size="sm" onClick={() => onLine(file, line, column)}>
          Line {line}
        </Button>
      )}
    </li>
  );
}
