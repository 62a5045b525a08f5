import { getSchemaValidator } from "elysia";
import { type ComposeProblem, createPathFinder } from "../compose/index.ts";
import { Manifest } from "./manifest.ts";

/** Both files of a template version, unread. */
export interface TemplateText {
  readonly app: string;
  readonly compose: string;
}

/** A manifest that was read, or what is wrong with it. */
export type ManifestResult =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "problems"; readonly problems: readonly ComposeProblem[] };

const compileSchema = () => getSchemaValidator(Manifest, { normalize: false, coerce: false });
let compiled: ReturnType<typeof compileSchema> | null = null;

/** Compiled on first use: it takes some milliseconds that no start should wait for. */
function manifestValidator(): ReturnType<typeof compileSchema> {
  compiled ??= compileSchema();
  return compiled;
}

const isManifest = (value: unknown): value is Manifest => manifestValidator().Check(value);

/** Parses and checks `app.yaml`; problems name line and key. */
export function readManifest(text: string, file: string): ManifestResult {
  const value = parseYaml(text);
  if (value === null) {
    return { kind: "problems", problems: [problemAt(text, file, "", "not valid YAML", "Correct the file")] };
  }
  if (isManifest(value)) return { kind: "manifest", manifest: value };
  const problems = [...manifestValidator().Errors(value)].map((error) =>
    problemAt(
      text,
      file,
      error.path,
      error.message,
      error.schema.description ?? "See schema.json beside the templates",
    ),
  );
  return { kind: "problems", problems };
}

function parseYaml(text: string): unknown {
  try {
    return Bun.YAML.parse(text);
  } catch {
    return null;
  }
}

function problemAt(text: string, file: string, pointer: string, message: string, nextStep: string): ComposeProblem {
  const path = pointer.split("/").filter((part) => part !== "");
  const { line, column } = createPathFinder(text)(path);
  return { file, line, column, key: path.join("."), message, next_step: nextStep };
}
