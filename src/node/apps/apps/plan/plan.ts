import type { LoadedTemplate } from "../../templates/index.ts";
import { composeVariables } from "../blueprint/blueprint.ts";
import { resolveInputs } from "../blueprint/inputs.ts";
import { makeSecret } from "../blueprint/secrets.ts";
import type { AppConfig, InstallPlan, PlanInput } from "../contract.ts";
import type { Own } from "../needs.ts";
import { findAppByName } from "../store.ts";
import { findReusableTrash } from "../trash-store.ts";
import {
  check,
  checkArch,
  checkDisk,
  checkImages,
  checkLimit,
  checkMemory,
  checkPermissions,
  checkPorts,
  checkRule,
  checkRuntime,
} from "./checks.ts";
import { assertAppName, assertConfigFits, suggestName } from "./conditions.ts";
import { wantedPorts } from "./find-ports.ts";
import { type PlacedPort, placePorts } from "./ports.ts";
import { takenPorts } from "./taken-ports.ts";

function checkName(own: Pick<Own, "db">, name: string, template: string) {
  const usual = checkRule("name", "Name", `${name} is free.`, () => assertAppName(name));
  if (usual.status !== "ok") return usual;
  if (findAppByName(own.db, name)) {
    const next_step = `Choose another one: ${suggestName(own, name)} is free.`;
    return check("name", "fail", "Name", `The name ${name} is taken.`, { next_step });
  }
  const kept = findReusableTrash(own.db, name, template);
  if (!kept) return usual;
  const detail = `Data of an earlier ${name} is kept until ${kept.purge_at.slice(0, 10)} and will be used again.`;
  return check("name", "warn", "Name", detail, { next_step: "Choose another name for a fresh start." });
}

/** The answers given, or made-up ones where they are not usable yet: the plan is asked for while people type. */
function provisionalAnswers({ manifest }: LoadedTemplate, given: NonNullable<AppConfig["inputs"]>) {
  return Object.fromEntries(
    manifest.inputs.map(({ key, default: preset }) => [key, String(given[key] ?? preset ?? "sample")]),
  );
}

function readProject(template: LoadedTemplate, ports: readonly PlacedPort[], config: AppConfig) {
  const { manifest } = template;
  const secrets = Object.fromEntries(manifest.secrets.map((secret) => [secret.key, makeSecret(secret)]));
  const answers = provisionalAnswers(template, config.inputs ?? {});
  return template.project(composeVariables(manifest, ports, answers, secrets));
}

/** Seconds that an install may take: what is known of the downloads' size, at a modest 5 MB/s, and the start. */
function estimateSeconds({ manifest }: LoadedTemplate, areImagesHere: boolean): number {
  const download = areImagesHere ? 0 : Math.round(Math.min(manifest.needs.disk_mb, 2000) / 2 / 5);
  return download + 10;
}

/** Everything worth knowing before an install, without changing anything. Throws `template_not_found`, `invalid_request`. */
export async function planInstall(own: Own, input: PlanInput): Promise<InstallPlan> {
  const template = await own.templates.load(input.template);
  const { manifest } = template;
  const { config = {} } = input;
  const name = input.name ?? (findAppByName(own.db, manifest.name) ? suggestName(own, manifest.name) : manifest.name);
  assertConfigFits(manifest, config);
  const wanted = wantedPorts(own, manifest, config);
  const ports = placePorts(wanted, await takenPorts(own, null));
  const images = await checkImages(own, readProject(template, ports, config));
  const checks = [
    checkRuntime(own, template),
    checkName(own, name, manifest.name),
    checkLimit(own),
    checkArch(own, template),
    checkMemory(own, template),
    await checkDisk(own, template),
    checkPorts(wanted, ports),
    images,
    checkPermissions(template, config),
    checkRule("inputs", "Settings", "All are usable.", () => {
      resolveInputs(manifest.inputs, config.inputs ?? {});
    }),
  ];
  return {
    ok: checks.every(({ status }) => status !== "fail"),
    name,
    template: manifest.name,
    display_name: manifest.display_name,
    version: manifest.version,
    checks,
    ports,
    permissions: manifest.permissions,
    inputs: manifest.inputs.map((item) => ({ ...item, default: item.default ?? null })),
    estimate_seconds: estimateSeconds(template, images.detail.includes("already")),
  };
}
