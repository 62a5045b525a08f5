import { isIPv4 } from "node:net";
import { reachableAddresses } from "../../../../kernel/host/addresses.ts";
import { type ComposeProject, outlineCompose, type ProjectOutline, parseCompose } from "../../compose/index.ts";
import { builtInVariables, type Manifest } from "../../templates/index.ts";
import type { AppConfig } from "../contract.ts";
import type { Own } from "../needs.ts";
import { LOOPBACK } from "../plan/ports.ts";
import { type AppRow, listPorts, type PortRow } from "../store.ts";
import { resolveInputs } from "./inputs.ts";
import { readSecrets } from "./secrets.ts";

/** Everything that an app's containers are made from. */
export interface Blueprint {
  app: AppRow;
  config: AppConfig;
  manifest: Manifest;
  project: ComposeProject;
  ports: PortRow[];
}

/** This server's address on its network; loopback when it has none. */
export function lanAddress(): string {
  return reachableAddresses().find(isIPv4) ?? LOOPBACK;
}

/** Where people open the app; null host port when its main port is not published. */
export function mainAddress(manifest: Manifest, ports: readonly Omit<PortRow, "app_id">[]) {
  const { service, port, path, scheme = "http" } = manifest.main;
  const main = ports.find((row) => row.service === service && row.container === port && row.protocol === "tcp");
  if (!main) return { port: null, base: null, url: null };
  const host = main.bind === LOOPBACK ? LOOPBACK : lanAddress();
  const base = `${scheme}://${host}:${main.host}`;
  return { port: main.host, base, url: scheme === "tcp" ? null : `${base}${path}` };
}

/** Values for the variables of the Compose file: answers, secrets, and what the node itself knows. */
export function composeVariables(
  manifest: Manifest,
  ports: readonly Omit<PortRow, "app_id">[],
  answers: Record<string, string>,
  secrets: Record<string, string>,
): Record<string, string> {
  const { base } = mainAddress(manifest, ports);
  const published = ports.filter(({ protocol }) => protocol === "tcp");
  const address = {
    url: base ?? `http://${LOOPBACK}:${manifest.main.port}`,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    hostPorts: Object.fromEntries(published.map((port) => [`${port.service}:${port.container}`, port.host])),
  };
  return { ...builtInVariables(manifest.ports, address), ...answers, ...secrets };
}

/** The manifest that an app was installed from. */
export function manifestOf(app: Pick<AppRow, "manifest">): Manifest {
  const manifest: Manifest = JSON.parse(app.manifest);
  return manifest;
}

/** What the admin chose for an app. */
export function configOf(app: Pick<AppRow, "config">): AppConfig {
  const config: AppConfig = JSON.parse(app.config);
  return config;
}

/** Reads an installed app's own copy of its template, with its values filled in. Throws ComposeError. */
export function readBlueprint(deps: Pick<Own, "db" | "seal">, app: AppRow): Blueprint {
  return drawBlueprint(deps, app, configOf(app), listPorts(deps.db, app.id));
}

/** The same with other choices, ports and values of some secrets than the app has. Throws ComposeError, and `invalid_request` for an answer. */
export function drawBlueprint(
  deps: Pick<Own, "db" | "seal">,
  app: AppRow,
  config: AppConfig,
  ports: PortRow[],
  renewed: Readonly<Record<string, string>> = {},
): Blueprint {
  const manifest = manifestOf(app);
  const stored = Object.fromEntries(readSecrets(deps, app.id).map(({ key, value }) => [key, value]));
  const answers = resolveInputs(manifest.inputs, config.inputs ?? {});
  const variables = composeVariables(manifest, ports, answers, { ...stored, ...renewed });
  const project = parseCompose(app.compose, { file: "compose.yaml", variables, ports: "refuse" });
  return { app, config, manifest, project, ports };
}

/** What is needed to look at an app's containers, without its secrets and answers wherever possible. */
export function readOutline(deps: Pick<Own, "db" | "seal">, app: AppRow): ProjectOutline {
  return outlineCompose(app.compose) ?? readBlueprint(deps, app).project;
}

/** What is needed to remove an app, even one whose template cannot be read any more. */
export function bareBlueprint({ db }: Pick<Own, "db">, app: AppRow): Blueprint {
  const project = { name: null, services: [], idle: [], volumes: [], networks: [] };
  return { app, config: configOf(app), manifest: manifestOf(app), project, ports: listPorts(db, app.id) };
}

/** Services whose end is their success: somebody waits for them to complete. */
export function oneShotServices(project: ProjectOutline): Set<string> {
  return new Set(
    project.services.flatMap((service) =>
      service.dependsOn
        .filter(({ condition }) => condition === "service_completed_successfully")
        .map((dependency) => dependency.service),
    ),
  );
}
