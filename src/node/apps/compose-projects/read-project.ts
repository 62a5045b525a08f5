import { ComposeError, type ComposeProblem, type ComposeProject, parseCompose, placeOfPath } from "../compose/index.ts";
import { parseEnv } from "./parse-env.ts";
import type { ProjectTexts } from "./project-files.ts";

const FILE = "compose.yaml";
/** Each is a container: more is a slip of an anchor, not a server. */
const MAX_SERVICES = 100;
/** As the route for a single pull takes them: registry, repository, tag and digest. */
const IMAGE =
  /^([a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:[0-9]{1,5})?\/)?[a-z0-9]+(([._/]|__|-+)[a-z0-9]+)*(:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127})?(@sha256:[a-f0-9]{64})?$/;

/** A user's file read, or all that is wrong with it. */
export type ReadProject =
  | { readonly kind: "read"; readonly project: ComposeProject }
  | { readonly kind: "refused"; readonly problems: readonly ComposeProblem[] };

function checkProject(name: string, file: string, project: ComposeProject): ComposeProblem[] {
  const problems: ComposeProblem[] = [];
  const add = (path: readonly string[], message: string, next_step: string) =>
    problems.push({ file: FILE, ...placeOfPath(file, path), key: path.join("."), message, next_step });
  if (project.name !== null && project.name !== name) {
    add(["name"], `the file calls the project ${project.name}, and you call it ${name}`, "Use the same name for both");
  }
  if (project.services.length > MAX_SERVICES) {
    add(["services"], `these are more than ${MAX_SERVICES} services`, "Split the file into several projects");
    return problems;
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

/** Reads a user's Compose file with the values of its `.env`. */
export function readProject(name: string, { file, env }: ProjectTexts): ReadProject {
  const { variables, problems: envProblems } = parseEnv(env);
  if (envProblems.length > 0) return { kind: "refused", problems: envProblems };
  try {
    // As Compose has it: which profiles run is a variable of the project.
    const profiles = (variables["COMPOSE_PROFILES"] ?? "").split(",").map((name) => name.trim());
    const options = {
      file: FILE,
      variables,
      envFile: variables,
      profiles,
      ports: "allow",
      dialect: "project",
    } as const;
    const project = parseCompose(file, options);
    const problems = checkProject(name, file, project);
    return problems.length > 0 ? { kind: "refused", problems } : { kind: "read", project };
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    return { kind: "refused", problems: error.problems };
  }
}
