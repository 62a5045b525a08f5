import { useEffect, useRef } from "preact/hooks";
import { Field } from "../../../kit/field.tsx";
import type { Attempt } from "../../../parts/attempt.ts";

/** Shows a place of a text, by the path of the file. */
export type Places = Map<string, (line: number, column: number) => void>;

/** One text of a project. */
export function ProjectText({
  label,
  path,
  rows,
  value,
  places,
  attempt,
  field,
  onValue,
}: {
  label: string;
  path: string;
  rows: number;
  value: string;
  places: Places;
  attempt: Attempt;
  /** What the server calls it. */
  field: string;
  onValue: (value: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const error = attempt.errorOf(field);
  useEffect(() => {
    places.set(path, (line, column) => {
      const lines = value.split("\n");
      const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      area.current?.focus();
      area.current?.setSelectionRange(start + Math.max(0, column - 1), start + (lines[line - 1]?.length ?? 0));
    });
    return () => void places.delete(path);
  }, [places, path, value]);
  return (
    <Field label={label} error={error}>
      {({ id, describedBy }) => (
        <span class={`input area composetext ${error === null ? "" : "is-error"}`}>
          <textarea
            id={id}
            ref={area}
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
