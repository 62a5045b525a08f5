import { ComposeError, type ComposeProject, describeProblem, listVariables, parseCompose } from "../compose/index.ts";
import { LINT_RULES, type LintProblem, type LintSubject } from "./lint-rules.ts";
import { readManifest, type TemplateText } from "./template-text.ts";
import { sampleVariables } from "./variables.ts";

export type { LintProblem } from "./lint-rules.ts";

/** Rules that even a template of the admin's own must keep, because an install would break or overreach without them. */
const ESSENTIAL_RULES: ReadonlySet<string> = new Set([
  "schema",
  "compose",
  "folder",
  "permissions",
  "host-network",
  "volumes",
  "variables",
  "references",
  "shell-input",
]);

/** Every problem of a template version; an empty list means that it may be in the catalogue. */
export function lintTemplate(text: TemplateText, folder: { name: string; version: string }): LintProblem[] {
  const file = `${folder.name}/${folder.version}`;
  const result = readManifest(text.app, `${file}/app.yaml`);
  if (result.kind === "problems") {
    return result.problems.map((problem) => ({ rule: "schema", message: describeProblem(problem) }));
  }
  const { manifest } = result;
  const read = (variant: "first" | "second" | "hostile"): ComposeProject => {
    const values = sampleVariables(manifest, variant);
    // A name that nothing defines is told by the rule "variables", in better words than the parser has.
    const variables = (name: string): string => values[name] ?? "undefined-variable";
    return parseCompose(text.compose, { file: `${file}/compose.yaml`, variables, ports: "refuse" });
  };
  try {
    const subject: LintSubject = {
      folder,
      manifest,
      text,
      used: listVariables(text.compose, `${file}/compose.yaml`),
      first: read("first"),
      second: read("second"),
      hostile: readOrNull(() => read("hostile")),
    };
    return LINT_RULES.flatMap(({ rule, check }) => check(subject).map((message) => ({ rule, message })));
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    return error.problems.map((problem) => ({ rule: "compose", message: describeProblem(problem) }));
  }
}

function readOrNull(read: () => ComposeProject): ComposeProject | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ComposeError) return null;
    throw error;
  }
}

/** Problems that keep a template of the admin's own out of the catalogue. */
export function essentialProblems(text: TemplateText, folder: { name: string; version: string }): LintProblem[] {
  return lintTemplate(text, folder).filter((problem) => ESSENTIAL_RULES.has(problem.rule));
}
