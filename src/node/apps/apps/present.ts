import { configOf, mainAddress, manifestOf, readBlueprint } from "./blueprint/blueprint.ts";
import { resolveInputs } from "./blueprint/inputs.ts";
import { limitsOf } from "./blueprint/limits.ts";
import { volumeName } from "./blueprint/names.ts";
import { listSecretRows } from "./blueprint/secret-store.ts";
import { whyFixed } from "./change/rotation.ts";
import type { App, AppDetail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { listServices } from "./service-store.ts";
import { type AppRow, listAllPorts, listApps, listPorts, type PortRow } from "./store.ts";

const MIB = 1_048_576;

function present({ state }: Pick<Own, "state">, app: AppRow, ports: readonly PortRow[]): App {
  const manifest = manifestOf(app);
  const { url, port } = mainAddress(manifest, ports);
  return {
    id: app.id,
    name: app.name,
    template: app.template,
    display_name: manifest.display_name,
    icon: manifest.icon,
    category: manifest.category,
    version: app.version,
    status: app.status,
    cause: app.cause,
    next_step: app.next_step,
    created_at: app.created_at,
    installed_at: app.installed_at,
    started_at: app.started_at,
    url,
    port,
    op_id: app.op_id,
    update: state.updates.get(app.id) ?? null,
  };
}

/** An app as the list shows it. */
export function presentApp(own: Pick<Own, "db" | "state">, app: AppRow): App {
  return present(own, app, listPorts(own.db, app.id));
}

/** All apps as JSON text: the most asked question of the dashboard, answered from memory until something changes. */
export function appListJson({ db, state }: Pick<Own, "db" | "state">): string {
  if (state.list_json !== null) return state.list_json;
  const ports = Map.groupBy(listAllPorts(db), (row) => row.app_id);
  const json = JSON.stringify(listApps(db).map((app) => present({ state }, app, ports.get(app.id) ?? [])));
  state.list_json = json;
  return json;
}

/** An app with all its parts; sizes of volumes as far as they are known (`volumeBytes` by Docker's volume name). */
export function presentDetail(
  own: Pick<Own, "db" | "seal" | "state">,
  app: AppRow,
  volumeBytes: ReadonlyMap<string, number | null>,
  to_confirm: AppDetail["to_confirm"],
): AppDetail {
  const blueprint = readBlueprint(own, app);
  const { manifest, project, ports } = blueprint;
  const config = configOf(app);
  return {
    ...present(own, app, ports),
    services: listServices(own.db, app.id).map(({ app_id: _, oom_killed, ...service }) => ({
      ...service,
      oom_killed: oom_killed === 1,
    })),
    ports: ports.map(({ app_id: _, ...port }) => port),
    volumes: manifest.volumes.map(({ name, role }) => ({
      name,
      role,
      size_bytes: volumeBytes.get(volumeName(app, name)) ?? null,
    })),
    inputs: visibleInputs(manifest.inputs, resolveInputs(manifest.inputs, config.inputs ?? {})),
    questions: manifest.inputs.map((input) => ({ ...input, default: input.default ?? null })),
    secrets: listSecretRows(own.db, app.id).map(({ key, label }) => ({
      key,
      label,
      fixed: whyFixed(manifest.secrets.find((secret) => secret.key === key) ?? {}),
    })),
    limits: Object.fromEntries(
      project.services.map((service) => {
        const { memory_bytes, cpus } = limitsOf(service, manifest, config);
        return [service.name, { memory_mb: memory_bytes === null ? null : Math.round(memory_bytes / MIB), cpus }];
      }),
    ),
    first_run: manifest.first_run ?? null,
    to_confirm,
  };
}

/** Answers without passwords, because every signed-in user may read this. */
function visibleInputs(
  inputs: readonly { key: string; type: string }[],
  answers: Record<string, string>,
): Record<string, string> {
  const hidden = new Set(inputs.filter(({ type }) => type === "password").map(({ key }) => key));
  return Object.fromEntries(Object.entries(answers).filter(([key]) => !hidden.has(key)));
}
