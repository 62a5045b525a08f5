import { assembleProject } from "./assemble.ts";
import { checkCount, newBudget } from "./budget.ts";
import { readFileSources } from "./given-files.ts";
import { InterpolationError, interpolate, type Lookup } from "./interpolate.ts";
import type { ComposeProject, NetworkSpec, ServiceSpec, VolumeSpec } from "./model.ts";
import { orderByDependency } from "./order.ts";
import { plainNetwork, readNetworks, readVolumes } from "./project-parts.ts";
import {
  type Dialect,
  type EnvFile,
  type Field,
  faultOf,
  type Reading,
  readMap,
  readText,
  report,
  reportUnsupported,
} from "./reading.ts";
import { readService } from "./service.ts";
import { parseYamlTree, type YamlNode } from "./yaml-tree.ts";

/** How a Compose text is read. */
export interface ParseOptions {
  /** Shown in messages, such as `compose.yaml`. */
  readonly file: string;
  /** Values for `${NAME}`. */
  readonly variables: Readonly<Record<string, string>> | Lookup;
  /** Our own templates publish through their manifest, so `ports:` is refused there. */
  readonly ports: "refuse" | "allow";
  /** A template's when left out. */
  readonly dialect?: Dialect;
  /** What `env_file: .env` hands to a container; nothing when left out. */
  readonly envFile?: EnvFile;
  /** Further texts of a project, by their paths in its folder; none when left out. */
  readonly files?: ReadonlyMap<string, string>;
  /** Services with profiles run when one of theirs is among these; with none when left out. */
  readonly profiles?: readonly string[];
}

/** Parses a Compose file of our subset; throws ComposeError with every problem found. */
export function parseCompose(text: string, options: ParseOptions): ComposeProject {
  const { variables } = options;
  const lookup: Lookup =
    typeof variables === "function"
      ? variables
      : (name) => (Object.hasOwn(variables, name) ? (variables[name] ?? null) : null);
  const { file, dialect = "template", envFile = { text: "", variables: {} }, files } = options;
  const sources = { config: new Map(), secret: new Map() };
  const texts = new Map([[file, text], ...(files ?? [])]);
  const reading: Reading = { file, lookup, dialect, texts, envFile, sources, problems: [], budget: newBudget() };
  const node = dialect === "project" ? assembleProject(reading, text) : parseYamlTree(text, file);
  const root: Field = { key: "", node };
  const project = readProject(reading, root, options);
  if (reading.problems.length > 0) {
    throw faultOf(reading);
  }
  return project;
}

/** Names of all variables that a text refers to, whether or not it has a default for them. */
export function listVariables(text: string, file: string): Set<string> {
  const names = new Set<string>();
  const record: Lookup = (name) => {
    names.add(name);
    return null;
  };
  // Both answers are tried, because a default or an alternative may hold further variables.
  for (const answer of [record, (name: string) => record(name) ?? "x"]) collect(parseYamlTree(text, file), answer);
  return names;
}

function collect(node: YamlNode, lookup: Lookup): void {
  if (node.kind === "list") for (const item of node.items) collect(item, lookup);
  if (node.kind === "map") for (const item of node.entries.values()) collect(item, lookup);
  if (node.kind !== "scalar") return;
  try {
    interpolate(node.text, lookup);
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error;
  }
}

function readProject(reading: Reading, root: Field, options: ParseOptions): ComposeProject {
  let name: string | null = null;
  let services: ServiceSpec[] = [];
  let volumes: VolumeSpec[] = [];
  let networks: NetworkSpec[] = [];
  const parts = readMap(reading, root);
  readSources(reading, parts);
  for (const [key, part] of parts) {
    const field = { key, node: part.node };
    if (key === "name") name = readText(reading, field);
    else if (key === "services") services = readServices(reading, field);
    else if (key === "volumes") volumes = readVolumes(reading, field);
    else if (key === "networks") networks = readNetworks(reading, field);
    else if (reading.dialect === "project" && Object.hasOwn(SOURCE_KEYS, key)) continue;
    else if (key !== "version" && !key.startsWith("x-")) reportUnsupported(reading, field, undefined);
  }
  if (services.length === 0) report(reading, root, "no services", "Write at least one below services:");
  const isAsked = ({ profiles }: ServiceSpec) =>
    profiles.length === 0 ||
    profiles.some((each) => options.profiles?.includes(each) || options.profiles?.includes("*"));
  const idle = services
    .filter((service) => !isAsked(service))
    .map(({ name: service, profiles }) => ({ name: service, profiles }));
  services = services.filter(isAsked);
  if (options.ports === "refuse") refusePorts(reading, root, services);
  if (services.some((service) => service.networks.some(({ network }) => network === "default"))) {
    if (!networks.some((network) => network.name === "default")) {
      networks.push(plainNetwork("default"));
    }
  }
  checkReferences(reading, root, { services, idle, volumes, networks });
  const ordering = orderByDependency(services);
  if (ordering.kind === "ordered") return { name, services: ordering.items, idle, volumes, networks };
  report(
    reading,
    fieldAt(root, ["services", ordering.names[0] ?? "", "depends_on"]),
    `services wait for each other: ${ordering.names.join(" → ")}`,
    "Remove one depends_on of the circle",
  );
  return { name, services, idle, volumes, networks };
}

/** Keys that declare what services are given as files. */
const SOURCE_KEYS = { configs: "config", secrets: "secret" } as const;

/** Read before the services, which name them. */
function readSources(reading: Reading, parts: ReadonlyMap<string, Field>): void {
  if (reading.dialect !== "project") return;
  for (const key of ["configs", "secrets"] as const) {
    const part = parts.get(key);
    const found = part === undefined ? [] : readFileSources(reading, { key, node: part.node });
    for (const [name, source] of found) reading.sources[SOURCE_KEYS[key]].set(name, source);
  }
}

function readServices(reading: Reading, field: Field): ServiceSpec[] {
  checkCount(reading, "services", field.node);
  return [...readMap(reading, field)].map(([name, service]) => {
    if (!/^[a-zA-Z0-9._-]+$/.test(name)) {
      report(reading, service, `${name} is not a service name`, "Use letters, digits, dot, dash and _");
    }
    return readService(reading, name, service);
  });
}

function refusePorts(reading: Reading, root: Field, services: readonly ServiceSpec[]): void {
  for (const service of services) {
    if (service.ports.length === 0) continue;
    const field = fieldAt(root, ["services", service.name, "ports"]);
    report(reading, field, "a template publishes no port by itself", "Move it to ports: in app.yaml");
  }
}

function checkReferences(reading: Reading, root: Field, project: Omit<ComposeProject, "name">): void {
  const services = new Set(project.services.map((service) => service.name));
  const volumes = new Set(project.volumes.map((volume) => volume.name));
  const networks = new Set(project.networks.map((network) => network.name));
  for (const service of project.services) {
    const at = (key: string): Field => fieldAt(root, ["services", service.name, key]);
    for (const { service: other, isRequired } of service.dependsOn) {
      const sleeper = project.idle.find(({ name }) => name === other);
      if (sleeper && !isRequired) continue;
      if (sleeper) {
        const words = `${other} runs only with the profile ${sleeper.profiles.join(" or ")}`;
        report(reading, at("depends_on"), words, "Name it in .env: COMPOSE_PROFILES=…");
      } else if (!services.has(other))
        report(reading, at("depends_on"), `there is no service ${other}`, "Correct the name");
    }
    for (const mount of service.mounts) {
      if (mount.kind === "volume" && !volumes.has(mount.volume)) {
        report(
          reading,
          at("volumes"),
          `the volume ${mount.volume} is not declared`,
          "Add it below volumes: of the file",
        );
      }
    }
    for (const { network } of service.networks) {
      if (!networks.has(network)) {
        report(reading, at("networks"), `the network ${network} is not declared`, "Add it below networks: of the file");
      }
    }
  }
}

/** The deepest field along a path of keys. */
function fieldAt(root: Field, path: readonly string[]): Field {
  let node = root.node;
  for (const key of path) {
    const next = node.kind === "map" ? node.entries.get(key) : undefined;
    if (next === undefined) break;
    node = next;
  }
  return { key: path.join("."), node };
}
