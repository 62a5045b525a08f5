import { join } from "node:path";
import { sha256Hex } from "../../../lib/digest.ts";
import { nodeId } from "../apps/index.ts";
import { boundProblems, type ComposeProblem, type ServiceSpec } from "../compose/index.ts";
import { nameOf } from "../containers/index.ts";
import type { ContainerSummary, Engine } from "../runtime/index.ts";
import { findMissingFiles, findStrayFiles, findStrayFolders } from "./check-folders.ts";
import { differences } from "./compare-running.ts";
import { containerNameOf, requestDigest, type Target } from "./container-request.ts";
import { MAX_DANGERS, type Plan, type PlanAction, type PlanDanger } from "./contract.ts";
import { findDangers, lookAtEngine } from "./find-dangers.ts";
import { noteInherited } from "./inherited-volumes.ts";
import { FOLDER_LABEL, HASH_LABEL, MANAGED_LABEL, PROJECT_LABEL, SERVICE_LABEL } from "./labels.ts";
import type { Own } from "./needs.ts";
import { listNotes, noteClaims, noteNetworkSettings } from "./notes.ts";
import { planParts } from "./plan-parts.ts";
import { isFree, keepsGoing } from "./project-containers.ts";
import { folderOf, listKept, type ProjectTexts, readTexts } from "./project-files.ts";
import { findOtherFiles } from "./put-files.ts";
import { createPlaceFinder, readProject } from "./read-project.ts";
import { createPaths } from "./walk-path.ts";

/** A plan, and what it is carried out from; no target where the file cannot be deployed. */
export interface Planned {
  plan: Plan;
  target: Target | null;
}

/** Our words of a service that the file has another key for. */
const KEYS: Readonly<Record<string, string>> = {
  mounts: "volumes",
  pidMode: "pid",
  stopGraceMs: "stop_grace_period",
  shmSizeBytes: "shm_size",
};
const keyOf = (field: string): string =>
  (Object.hasOwn(KEYS, field) ? KEYS[field] : undefined) ??
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Limits by the key that a file mostly has for them, texts that are given by theirs. */
const spread = ({ limits, files, ...rest }: ServiceSpec): Record<string, unknown> => ({
  ...rest,
  configs: files.filter(({ kind }) => kind === "config"),
  secrets: files.filter(({ kind }) => kind === "secret"),
  mem_limit: limits.memoryBytes,
  cpus: limits.cpus,
  pids_limit: limits.pids,
});

/** Keys of a service that are other than before; the order in which a map is written is none. */
function changedKeys(before: ServiceSpec | undefined, now: ServiceSpec): string[] {
  if (before === undefined) return [];
  const old = spread(before);
  return Object.entries(spread(now)).flatMap(([field, value]) =>
    Bun.deepEquals(old[field], value) ? [] : keyOf(field),
  );
}

async function servicesBefore(own: Own, name: string): Promise<Map<string, ServiceSpec>> {
  const texts = await readTexts(own, name);
  const read = texts && readProject(name, texts);
  return new Map(read?.kind === "read" ? read.project.services.map((service) => [service.name, service]) : []);
}

/** Keys of a container that was not made here which are other than the file says; null when it has to be made anew anyway. */
async function compareForeign(
  engine: Engine,
  target: Target,
  service: ServiceSpec,
  { Id, ImageID }: ContainerSummary,
): Promise<string[] | null> {
  const info = await engine.inspectContainer(Id);
  if (info === null) return null;
  const changed = differences(target, service, info, await engine.findImage(ImageID ?? service.image));
  return [...changed, ...(await findOtherFiles(engine, service, Id))];
}

async function listActions(
  engine: Engine,
  target: Target,
  before: ReadonlyMap<string, ServiceSpec>,
  running: readonly ContainerSummary[],
): Promise<PlanAction[]> {
  const actions: PlanAction[] = [];
  for (const service of target.project.services) {
    const container = containerNameOf(target.name, service);
    const existing = running.filter((each) => each.Labels[SERVICE_LABEL] === service.name);
    const [first] = existing;
    const plain = { service: service.name, container, changed: [] };
    if (first === undefined) {
      actions.push({ ...plain, action: "create" });
      continue;
    }
    const isNamed = existing.length === 1 && nameOf(first) === container;
    const foreign = HASH_LABEL in first.Labels ? null : await compareForeign(engine, target, service, first);
    const isSame =
      foreign === null ? first.Labels[HASH_LABEL] === requestDigest(target, service) : foreign.length === 0;
    if (isNamed && isSame) actions.push({ ...plain, action: "keep" });
    else {
      const changed = foreign ?? changedKeys(before.get(service.name), service);
      actions.push({ ...plain, action: "change", changed: isNamed ? changed : [...changed, "container_name"] });
    }
  }
  const known = new Set(target.project.services.map(({ name }) => name));
  const gone = running
    .filter(({ Labels }) => !known.has(Labels[SERVICE_LABEL] ?? ""))
    .map(
      (each): PlanAction => ({
        action: "remove",
        service: each.Labels[SERVICE_LABEL] ?? "",
        container: nameOf(each),
        changed: [],
      }),
    );
  return [...actions, ...gone];
}

/** What on the engine stands in the way of this project. */
function findObstacles(target: Target, containers: readonly ContainerSummary[]): ComposeProblem[] {
  const problem = (key: string, message: string, next_step: string) => ({
    file: "compose.yaml",
    line: 0,
    column: 0,
    key,
    message,
    next_step,
  });
  const own = containers.filter(({ Labels }) => Labels[PROJECT_LABEL] === target.name);
  // Beside the file that it was started from, not beside ours.
  const folder = own
    .map(({ Labels }) => Labels[FOLDER_LABEL])
    .find((each) => each !== undefined && each !== target.folder);
  const relative = target.project.services.flatMap(({ name, mounts }) =>
    mounts.flatMap((mount) =>
      mount.kind === "bind" && mount.source.startsWith("./") ? [{ name, source: mount.source }] : [],
    ),
  );
  if (folder !== undefined && relative.length > 0) {
    return relative.map(({ name, source }) =>
      problem(
        `services.${name}.volumes`,
        `${source} lies in ${folder}, where the project was started`,
        `Write ${join(folder, source)} in its place`,
      ),
    );
  }
  if (own.some(({ Labels }) => ![undefined, target.node].includes(Labels[MANAGED_LABEL]))) {
    const message = `another Orrery looks after the project ${target.name} on this engine`;
    return [problem("name", message, "Choose another name, or let it go there first")];
  }
  const others = new Set(containers.filter((each) => !own.includes(each)).map(nameOf));
  return target.project.services
    .map((service) => ({ service, container: containerNameOf(target.name, service) }))
    .filter(({ container }) => others.has(container))
    .map(({ service, container }) =>
      problem(
        `services.${service.name}.container_name`,
        `another container is called ${container} already`,
        "Choose another name, or remove that container first",
      ),
    );
}

/** A plan with so much to confirm is a slip, and could not be confirmed. */
const findTooMuch = (dangers: readonly PlanDanger[]): ComposeProblem[] =>
  dangers.length <= MAX_DANGERS
    ? []
    : [
        {
          file: "compose.yaml",
          line: 0,
          column: 0,
          key: "services",
          message: `the file asks for ${dangers.length} powers over this server, more than ${MAX_DANGERS}`,
          next_step: "Ask for fewer folders and devices, such as one folder in place of those in it",
        },
      ];

const refused = (problems: readonly ComposeProblem[]): Planned => ({
  plan: {
    hash: null,
    problems: boundProblems(problems),
    adopts: false,
    actions: [],
    parts: [],
    dangers: [],
    notes: [],
  },
  target: null,
});

/** What a deploy of these texts would do. Throws `runtime_unavailable`, when the file itself is right. */
export async function planProject(own: Own, name: string, texts: ProjectTexts): Promise<Planned> {
  const read = readProject(name, texts);
  if (read.kind === "refused") return refused(read.problems);
  const engine = own.runtime.requireEngine();
  const there = await lookAtEngine(engine);
  const { volumes, networks } = there;
  const containers = there.containers.filter(keepsGoing);
  const target: Target = {
    name,
    folder: folderOf(own, name),
    node: nodeId(own.seal),
    digestKey: own.seal.deriveKey("compose files"),
    project: read.project,
  };
  const { parts, problems } = planParts(target, { containers, volumes, networks });
  const dangers = await findDangers(own, target, there);
  const placeOf = createPlaceFinder(texts);
  // Obstacles are about the engine, and shown where the files say what they stand in the way of.
  const obstacles = [
    ...findObstacles(target, containers),
    ...findTooMuch(dangers),
    ...(await findStrayFolders(target, texts.files, createPaths(own.host))),
    ...findMissingFiles(target),
    ...problems,
  ].map((each) => ({ ...each, ...placeOf(each.key.split(".")) }));
  obstacles.push(...(await findStrayFiles(target.folder, texts.files)));
  if (obstacles.length > 0) return refused(obstacles);
  const running = containers.filter((each) => each.Labels[PROJECT_LABEL] === name && isFree(each, target.node));
  const actions = await listActions(engine, target, await servicesBefore(own, name), running);
  const adopts = running.length > 0 && !(await listKept(own)).includes(name);
  const notes = [
    ...listNotes(target),
    ...noteNetworkSettings(target, own.host),
    ...noteInherited(target, actions, running),
  ];
  const plan = { problems: [], adopts, actions, parts, dangers, notes };
  const shown = [name, texts.file, texts.env, ...(texts.files.length === 0 ? [] : [texts.files]), plan];
  const hash = sha256Hex(JSON.stringify(shown));
  // Not in the hash: whoever runs such containers, one after the other, would keep people from deploying.
  return { plan: { hash, ...plan, notes: [...notes, ...noteClaims(name, containers)] }, target };
}
