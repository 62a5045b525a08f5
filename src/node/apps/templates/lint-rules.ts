import { type ComposeProject, requiredPermissions, type ServiceSpec } from "../compose/index.ts";
import type { Manifest } from "./manifest.ts";
import type { TemplateText } from "./template-text.ts";
import { builtInNames } from "./variables.ts";

/** One broken rule. */
export interface LintProblem {
  readonly rule: string;
  readonly message: string;
}

/** A template version as the rules see it: the Compose file read with two sets of made-up values and one hostile set. */
export interface LintSubject {
  readonly folder: { readonly name: string; readonly version: string };
  readonly manifest: Manifest;
  readonly text: TemplateText;
  /** Variables that the Compose file refers to. */
  readonly used: ReadonlySet<string>;
  readonly first: ComposeProject;
  readonly second: ComposeProject;
  /** `null` when the hostile values break the file. */
  readonly hostile: ComposeProject | null;
}

interface LintRule {
  readonly rule: string;
  /** Messages, one a fault. */
  check(subject: LintSubject): string[];
}

const SECRET_NAME =
  /(PASS(WORD|WD|PHRASE)?|SECRET|TOKEN|CREDENTIALS?|API_?KEY|PRIVATE_?KEY|ENCRYPTION_?KEY|SALT)(_|$)/i;
const HARMLESS_VALUE = /^(|true|false|yes|no|on|off|\d{1,5}|\/[\w./-]+)$/i;
const URL_WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/;
/**
 * Variables whose first value outlives the variable: a database that is made with it knows it from then on, Vaultwarden writes its own
 * into a file that comes before the environment, and Open WebUI encrypts what it stores with it.
 */
const KEPT_SECRET =
  /^\s+(?:POSTGRES_PASSWORD|(?:MYSQL|MARIADB)_(?:ROOT_)?PASSWORD|MONGO_INITDB_ROOT_PASSWORD|DOCKER_INFLUXDB_INIT_\w+|ADMIN_TOKEN|WEBUI_SECRET_KEY): "?\$\{(\w+)\}"?$/gm;
const FAKE_TEST = /^(true|:|exit 0|echo .*|sleep .*|ls( .*)?)$|\|\| *(true|:|exit 0)\b/;

/** Every rule of the catalogue. */
export const LINT_RULES: readonly LintRule[] = [
  { rule: "folder", check: checkFolder },
  { rule: "literal-secret", check: checkLiteralSecrets },
  { rule: "health", check: checkHealth },
  { rule: "permissions", check: checkPermissions },
  { rule: "host-network", check: checkHostNetwork },
  { rule: "pin", check: checkPins },
  { rule: "volumes", check: checkVolumes },
  { rule: "variables", check: checkVariables },
  { rule: "references", check: checkReferences },
  { rule: "limits", check: checkLimits },
  { rule: "restart", check: checkRestart },
  { rule: "shell-input", check: checkShellInput },
  { rule: "backup", check: checkBackup },
  { rule: "inputs", check: checkInputs },
  { rule: "rotation", check: checkRotation },
];

function checkFolder({ folder, manifest }: LintSubject): string[] {
  const isRight = folder.name === manifest.name && folder.version === manifest.version;
  return isRight
    ? []
    : [`the folder says ${folder.name}/${folder.version}, app.yaml ${manifest.name}/${manifest.version}`];
}

function checkLiteralSecrets({ manifest, text, first, second }: LintSubject): string[] {
  const found: string[] = [];
  for (const service of first.services) {
    const other = serviceOf(second, service.name);
    for (const [key, value] of Object.entries(service.environment)) {
      const isLiteral = other?.environment[key] === value;
      const isSecret = SECRET_NAME.test(key) && !key.endsWith("_FILE") && !HARMLESS_VALUE.test(value);
      if (isLiteral && (isSecret || URL_WITH_PASSWORD.test(value)))
        found.push(`${service.name}: ${key} holds a literal secret`);
    }
    const command = [...(service.command ?? []), ...(service.entrypoint ?? [])].join(" ");
    const isSame = command === [...(other?.command ?? []), ...(other?.entrypoint ?? [])].join(" ");
    if (isSame && /(--?[\w-]*(password|requirepass|token|secret)[= ]|:\/\/[^/\s:@]*:[^/\s@]+@)/i.test(command)) {
      found.push(`${service.name}: the command holds a literal secret`);
    }
  }
  for (const { key } of manifest.secrets) {
    if (new RegExp(`\\$\\{${key}:?-`).test(text.compose)) found.push(`${key} has a default in the Compose file`);
  }
  for (const input of manifest.inputs) {
    if (input.type === "password" && (input.default ?? "") !== "")
      found.push(`the input ${input.key} has a default password`);
  }
  return found;
}

function checkHealth({ manifest, first }: LintSubject): string[] {
  return first.services.flatMap((service) => {
    const check = service.healthcheck;
    const isProbed = manifest.health.service === service.name;
    if (check === null || check.kind === "none") {
      return isProbed ? [] : [`${service.name} has no health check`];
    }
    const test = check.test.slice(1).join(" ").trim();
    if (test === "" || FAKE_TEST.test(test)) return [`${service.name}: its health check can never fail`];
    const isBounded = check.intervalMs !== null && check.timeoutMs !== null && check.retries !== null;
    return isBounded ? [] : [`${service.name}: its health check needs interval, timeout and retries`];
  });
}

function checkPermissions({ manifest, first }: LintSubject): string[] {
  const needed = new Set(requiredPermissions(first).map((permission) => permission.id));
  const declared = new Set(manifest.permissions.map((permission) => permission.id));
  return [
    ...[...needed].filter((id) => !declared.has(id)).map((id) => `uses ${id} without declaring it`),
    ...[...declared].filter((id) => !needed.has(id)).map((id) => `declares ${id} and does not use it`),
  ];
}

/** A port of the server's own network is what it is: nobody can move it, or keep it from those who reach the server. */
function checkHostNetwork({ manifest, first }: LintSubject): string[] {
  return manifest.ports.flatMap(({ service, container, host_network: isOnHost = false, host, publish }) => {
    const isShared = serviceOf(first, service)?.networkMode === "host";
    const name = `the port ${service}:${container}`;
    if (isOnHost !== isShared)
      return [
        isShared
          ? `${name} is on the server's network and does not say host_network`
          : `${name} says host_network and its service does not use it`,
      ];
    if (!isShared) return [];
    return [
      ...(host !== undefined && host !== container ? [`${name} cannot be ${host} on the server's network`] : []),
      ...(publish === "proxy" || publish === "loopback"
        ? [`${name} is reached as the server is: publish lan or public`]
        : []),
    ];
  });
}

function checkPins({ manifest, first, second }: LintSubject): string[] {
  const unpinned = new Set((manifest.unpinned ?? []).map((entry) => entry.service));
  const found = first.services.flatMap((service) => {
    const { name, image } = service;
    if (serviceOf(second, name)?.image !== image) return [`${name}: the image depends on an answer`];
    const [reference = "", digest] = image.split("@");
    const tag = /:([\w][\w.-]*)$/.exec(reference)?.[1];
    if (tag === undefined || tag === "latest") return [`${name}: ${image} has no version tag`];
    const isPinned = digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest);
    if (isPinned && unpinned.has(name)) return [`${name} is listed as unpinned and has a digest`];
    return isPinned || unpinned.has(name) ? [] : [`${name}: ${image} has no digest and no reason in unpinned`];
  });
  const strangers = [...unpinned].filter((name) => serviceOf(first, name) === null);
  return [...found, ...strangers.map((name) => `unpinned names ${name}, which is no service`)];
}

function checkVolumes({ manifest, first }: LintSubject): string[] {
  const declared = new Set(first.volumes.map((volume) => volume.name));
  const roles = new Set(manifest.volumes.map((volume) => volume.name));
  const mounted = new Set(
    first.services.flatMap((service) =>
      service.mounts.flatMap((mount) => (mount.kind === "volume" ? [mount.volume] : [])),
    ),
  );
  return [
    ...[...declared].filter((name) => !roles.has(name)).map((name) => `the volume ${name} has no role`),
    ...[...roles].filter((name) => !declared.has(name)).map((name) => `the role of ${name} names no volume`),
    ...[...declared].filter((name) => !mounted.has(name)).map((name) => `the volume ${name} is mounted nowhere`),
  ];
}

function checkVariables({ manifest, used }: LintSubject): string[] {
  const keys = [...manifest.inputs, ...manifest.secrets].map((entry) => entry.key);
  const known = new Set([...keys, ...builtInNames(manifest.ports)]);
  return [
    ...[...used]
      .filter((name) => !known.has(name))
      .map((name) => `the Compose file uses ${name}, which nothing defines`),
    ...keys.filter((key) => !used.has(key)).map((key) => `${key} is defined and not used`),
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} is defined twice`),
    ...keys
      .filter((key) => builtInNames(manifest.ports).includes(key))
      .map((key) => `${key} is a name that the node gives`),
  ];
}

function checkReferences({ manifest, first }: LintSubject): string[] {
  const named: Array<readonly [string, string]> = [
    ["main", manifest.main.service],
    ["health", manifest.health.service],
    ...manifest.ports.map(({ service }) => ["ports", service] as const),
    ...(manifest.domains ?? []).map(({ service }) => ["domains", service] as const),
    ...(manifest.backup.dumps ?? []).map(({ service }) => ["backup.dumps", service] as const),
    ...Object.keys(manifest.limits).map((service) => ["limits", service] as const),
  ];
  const volumes = new Set(manifest.volumes.map((volume) => volume.name));
  const keys = new Set([...manifest.inputs, ...manifest.secrets].map((entry) => entry.key));
  const { service, port } = manifest.main;
  const isOpen = manifest.ports.some((entry) => entry.service === service && entry.container === port);
  return [
    ...named
      .filter(([, name]) => serviceOf(first, name) === null)
      .map(([at, name]) => `${at} names ${name}, which is no service`),
    ...(isOpen ? [] : ["the main port is not in ports"]),
    ...manifest.uninstall.keep
      .filter((name) => !volumes.has(name))
      .map((name) => `uninstall.keep names no volume ${name}`),
    ...(manifest.first_run?.show ?? [])
      .filter((key) => !keys.has(key))
      .map((key) => `first_run shows ${key}, which nothing defines`),
  ];
}

function checkLimits({ manifest, first }: LintSubject): string[] {
  const missing = first.services.filter(({ name }) => manifest.limits[name] === undefined);
  const inCompose = first.services.filter(({ limits }) => limits.memoryBytes !== null || limits.cpus !== null);
  const total = Object.values(manifest.limits).reduce((sum, limit) => sum + limit.memory_mb, 0);
  return [
    ...missing.map(({ name }) => `${name} has no limit`),
    ...inCompose.map(({ name }) => `${name} sets limits in the Compose file; they belong in app.yaml`),
    ...(total < manifest.needs.ram_mb ? [`the limits (${total} MiB) are below needs.ram_mb`] : []),
  ];
}

function checkRestart({ first }: LintSubject): string[] {
  const jobs = new Set(
    first.services.flatMap((service) =>
      service.dependsOn.flatMap((need) => (need.condition === "service_completed_successfully" ? [need.service] : [])),
    ),
  );
  return first.services
    .filter((service) => service.restart.policy === "no" && !jobs.has(service.name))
    .map((service) => `${service.name} does not come back after a crash or a reboot`);
}

function checkShellInput({ first, hostile }: LintSubject): string[] {
  if (hostile === null) return ["an answer of the form can break the Compose file"];
  return first.services.flatMap((service) => {
    const other = serviceOf(hostile, service.name);
    const isSplit =
      service.command?.length !== other?.command?.length || service.entrypoint?.length !== other?.entrypoint?.length;
    const test = service.healthcheck?.kind === "exec" ? service.healthcheck.test : [];
    const otherTest = other?.healthcheck?.kind === "exec" ? other.healthcheck.test : [];
    const reachesShell =
      (test[0] === "CMD-SHELL" && test.join() !== otherTest.join()) || shellText(service) !== shellText(other);
    return isSplit || reachesShell
      ? [`${service.name}: an answer of the form reaches a shell or is split at blanks`]
      : [];
  });
}

/** The script of `sh -c script`, the one place of an argv where a shell reads text again. */
function shellText(service: ServiceSpec | null): string {
  const argv = [...(service?.entrypoint ?? []), ...(service?.command ?? [])];
  return argv.filter((_, index) => /^-[a-z]*c$/.test(argv[index - 1] ?? "")).join("\n");
}

function checkBackup({ manifest }: LintSubject): string[] {
  const hasDatabase = manifest.volumes.some((volume) => volume.role === "database");
  const { consistency, dumps = [] } = manifest.backup;
  const services = dumps.map(({ service }) => service);
  const twice = new Set(services.filter((service, index) => services.indexOf(service) !== index));
  return [
    // Both would be loaded into the same volumes.
    ...[...twice].map((service) => `backup dumps ${service} more than once`),
    ...(hasDatabase && consistency === "live" ? ["a database cannot be copied live"] : []),
    ...(consistency === "dump" && dumps.length === 0 ? ["backup says dump and lists none"] : []),
  ];
}

function checkInputs({ manifest }: LintSubject): string[] {
  return manifest.inputs.flatMap((input) => {
    const options = input.rules?.options ?? [];
    if (input.type === "select" && options.length === 0) return [`${input.key} is a select without options`];
    if (input.rules?.pattern === undefined) return [];
    return input.rules.pattern_hint === undefined ? [`${input.key} has a pattern and no pattern_hint`] : [];
  });
}

function checkRotation({ manifest, text }: LintSubject): string[] {
  const stored = [...text.compose.matchAll(KEPT_SECRET)].map((match) => match[1]);
  return manifest.secrets.flatMap(({ key, rotatable, reason }) => {
    if (rotatable === undefined) return [`${key} does not say whether it can be renewed`];
    if (!rotatable) return reason === undefined ? [`${key} cannot be renewed and does not say why`] : [];
    return stored.includes(key) ? [`${key} is kept by the app itself, so it cannot be renewed`] : [];
  });
}

function serviceOf(project: ComposeProject, name: string): ServiceSpec | null {
  return project.services.find((service) => service.name === name) ?? null;
}
