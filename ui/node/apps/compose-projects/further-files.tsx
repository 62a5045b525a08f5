import type { PlanProblem, ProjectFile } from "../../../../src/node/apps/compose-projects/contract.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import type { Attempt } from "../../../parts/attempt.ts";
import { type Places, ProjectText } from "./project-text.tsx";

/** As many as the server takes. */
const MOST = 20;

/** What the server calls their paths and texts. */
export const fieldsOf = (files: readonly ProjectFile[]): string[] =>
  files.flatMap((_, index) => [`files.${index}.path`, `files.${index}.text`]);

/** Files that the Compose file names: what it includes, extends, or takes variables from. */
export function FurtherFiles({
  files,
  problems,
  places,
  attempt,
  onFiles,
}: {
  files: readonly ProjectFile[];
  problems: readonly PlanProblem[];
  places: Places;
  attempt: Attempt;
  onFiles: (files: ProjectFile[]) => void;
}) {
  const edit = (index: number, change: Partial<ProjectFile>): void =>
    onFiles(files.map((file, at) => (at === index ? { ...file, ...change } : file)));
  return (
    <>
      {files.map(({ path, text }, index) => (
        <fieldset key={index} class="stack" aria-label={path === "" ? "Further file" : path}>
          <div class="row">
            <Input
              label="Path in the project"
              value={path}
              error={attempt.errorOf(`files.${index}.path`)}
              onValue={attempt.edits(`files.${index}.path`, (value) => edit(index, { path: value }))}
              hint="As the Compose file names it, such as common.yaml or prod.env."
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
            />
            <IconButton
              icon="trash"
              label={`Remove ${path === "" ? "this file" : path}`}
              onClick={() => onFiles(files.filter((_, at) => at !== index))}
            />
          </div>
          <ProjectText
            label="Text"
            path={path}
            rows={8}
            value={text}
            problems={problems}
            places={places}
            attempt={attempt}
            field={`files.${index}.text`}
            onValue={(value) => edit(index, { text: value })}
          />
        </fieldset>
      ))}
      {files.length < MOST && (
        <div>
          <Button size="sm" icon="plus" onClick={() => onFiles([...files, { path: "", text: "" }])}>
            Add a file that it names
          </Button>
        </div>
      )}
    </>
  );
}
