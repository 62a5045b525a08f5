import {
  boundProblems,
  ComposeError,
  type ComposeProblem,
  type ComposeProject,
  createPathFinder,
  parseCompose,
  parseEnv,
} from "../compose/index.ts";
import type { ProjectTexts } from "./project-files.ts";

const FILE = "compose.yaml";
/** As the route for a single pull takes them: registry, repository, tag and digest. */
const IMAGE =
  /^([a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:[0-9]{1,5})?\/)?[a-z0-9]+(([._/]|__|-+)[a-z0-9]+)*(:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127})?(@sha256:[a-f0-9]{64})?$/;

/** A user's file read, or all that is wrong with it. */
export type ReadProject =
  | { readonly kind: "read"; readonly project: ComposeProject }
  | { readonly kind: "refused"; readonly problems: readonly ComposeProblem[] };

/** Finds where a path of keys stands in the texts of a project: in the one that has most of it. */
export function createPlaceFinder({ file, files }: ProjectTexts) {
  const findOwn = createPathFinder(file);
  const others = files
    .filter(({ path }) => /\.ya?ml$/.test(path))
    .map(({ path, text }) => ({ path, find: createPathFinder(text) }));
  return (path: readonly string[]): Pick<ComposeProblem, "file" | "line" | "column"> => {
    let best = { file: FILE, ...findOwn(path) };
    for (const { path: other, find } of others) {
      const found = best.depth < path.length ? find(path) : null;
      if (found !== null && found.depth > best.depth) best = { file: other, ...found };
    }
    return { file: best.file, line: best.line, column: best.column };
  };
}

/** What is wrong with the further files themselves. */
function checkFiles(files: ProjectTexts["files"]): ComposeProblem[] {
  const paths = files.map(({ path }) => path);
  const refuse = (file: string, message: string, next_step: string) => [
    { file, line: 0, column: 0, key: "", message, next_step },
  ];
  return paths.flatMap((path, index) => {
    const name = path.split("/").at(-1) ?? "";
    if ([FILE, ".env"].includes(path) || /\.(new|next)$/.test(name) || path.startsWith(`${FILE}/`))
      return refuse(path, "this name is the project's own", "Choose another name");
    if (paths.indexOf(path) !== index) return refuse(path, "this file is there twice", "Keep one of them");
    const inside = paths.find((other) => other.startsWith(`${path}/`));
    return inside === undefined ? [] : refuse(path, `this is a file, and ${inside} lies in it`, "Rename one of them");
  });
}

function checkProject(name: string, texts: ProjectTexts, project: ComposeProject): ComposeProblem[] {
  const problems: ComposeProblem[] = [];
  const placeOf = createPlaceFinder(texts);
  const add = (path: readonly string[], message: string, next_step: string) =>
    problems.push({ ...placeOf(path), key: path.join("."), message, next_step });
  if (project.name !== null && project.name !== name) {
    add(["name"], `the file calls the project ${project.name}, and you call it ${name}`, "Use the same name for both");
  }
  const names = new Map<string, string>();
  for (const service of project.services) {
    const path = ["services", service.name];
    if (service.image.length > 400 || !IMAGE.test(service.image)) {
      add([...path, "image"], `${service.image.slice(0, 100)} is not the name of an image`, "Write it like nginx:1.29");
    }
    const container = service.containerName ?? `${name}-${service.name}-1`;
    const other = names.get(container);
    if (other !== undefined) {
      add([...path, "container_name"], `${other} has the container name ${container} too`, "Choose another name");
    }
    names.set(container, service.name);
  }
  return problems;
}

const refused = (problems: readonly ComposeProblem[]): ReadProject => ({
  kind: "refused",
  problems: boundProblems(problems),
});

/** Reads a user's Compose file with its further files and the values of its `.env`. */
export function readProject(name: string, texts: ProjectTexts): ReadProject {
  const { file, env, files } = texts;
  const { variables, problems: envProblems } = parseEnv(env);
  const wrong = [...checkFiles(files), ...envProblems];
  if (wrong.length > 0) return refused(wrong);
  try {
    // As Compose has it: which profiles run is a variable of the project.
    const profiles = (variables["COMPOSE_PROFILES"] ?? "").split(",").map((name) => name.trim());
    const options = {
      file: FILE,
      variables,
      files: new Map(files.map(({ path, text }) => [path, text])),
      envFile: { text: env, variables },
      profiles,
      ports: "allow",
      dialect: "project",
    } as const;
    const project = parseCompose(file, options);
    const problems = checkProject(name, texts, project);
    return problems.length > 0 ? refused(problems) : { kind: "read", project };
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    return refused(error.problems);
  }
}
