import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PlanProblem } from "../../../../src/node/apps/compose-projects/contract.ts";
import { lazy } from "../../../client/lazy.ts";
import { Field } from "../../../kit/field.tsx";
import type { Attempt } from "../../../parts/attempt.ts";

/** The editor is larger than all else here: it comes when somebody edits a project. */
const CodeEditor = lazy(() => import("./code-editor.tsx").then((module) => module.CodeEditor), { ahead: false });

/** Shows a place of a text, by the path of the file. */
export type Places = Map<string, (line: number, column: number) => void>;

/** One text of a project. */
export function ProjectText({
  label,
  path,
  rows,
  value,
  hint,
  problems,
  places,
  attempt,
  field,
  onValue,
}: {
  label: string;
  path: string;
  rows: number;
  value: string;
  hint?: string;
  /** What the plan says is wrong with the project's texts. */
  problems: readonly PlanProblem[];
  places: Places;
  attempt: Attempt;
  /** What the server calls it. */
  field: string;
  onValue: (value: string) => void;
}) {
  const error = attempt.errorOf(field);
  const marks = useMemo(
    () =>
      problems
        .filter((problem) => problem.file === path)
        .map(({ line, column, message, next_step }) => ({ line, column, text: `${message}. ${next_step}.` })),
    [problems, path],
  );
  const go = useRef<((line: number, column: number) => void) | null>(null);
  useEffect(() => {
    places.set(path, (line, column) => go.current?.(line, column));
    return () => void places.delete(path);
  }, [places, path]);
  return (
    <Field label={label} hint={hint} error={error}>
      {({ describedBy }) => (
        <span class={`input composetext ${error === null ? "" : "is-error"}`}>
          <CodeEditor
            label={label}
            value={value}
            isYaml={/\.ya?ml$/.test(path)}
            rows={rows}
            problems={marks}
            describedBy={describedBy}
            isWrong={error !== null}
            onValue={attempt.edits(field, onValue)}
            onPlaces={(shows) => {
              go.current = shows;
            }}
          />
        </span>
      )}
    </Field>
  );
}
