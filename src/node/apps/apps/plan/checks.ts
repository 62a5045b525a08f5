import { AppError } from "../../../../kernel/http/errors.ts";
import { seconds } from "../../../../lib/duration.ts";
import { appLimitOf, planForApps } from "../../../../shared/plans/index.ts";
import type { PathDanger } from "../../../base.ts";
import type { Room } from "../../../machine/index.ts";
import type { ComposeProject } from "../../compose/index.ts";
import { EngineError } from "../../runtime/index.ts";
import type { LoadedTemplate } from "../../templates/index.ts";
import type { AppConfig, PlanCheck } from "../contract.ts";
import { findImageHere, listSources } from "../images/list-sources.ts";
import type { Own } from "../needs.ts";
import { countApps } from "../store.ts";
import { explainPull } from "../work/failure.ts";
import { unconfirmed } from "./conditions.ts";
import { asPermission, openDangers } from "./host-paths.ts";

const MIB = 1_048_576;
const IMAGE_CHECK_MS = seconds(6);

/** A template as far as its wants go. */
type Wants = { manifest: Pick<LoadedTemplate["manifest"], "needs"> };

type Fields = Partial<Pick<PlanCheck, "next_step" | "used" | "total">>;

/** One line of the preflight. */
export function check(
  id: PlanCheck["id"],
  status: PlanCheck["status"],
  title: string,
  detail: string,
  fields: Fields = {},
): PlanCheck {
  return { id, status, title, detail, next_step: null, used: null, total: null, ...fields };
}

/** Whether containers can run at all, and on a new enough engine. */
export function checkRuntime({ runtime }: Pick<Own, "runtime">, { manifest }: LoadedTemplate): PlanCheck {
  const { state, message, next_step, version } = runtime.status();
  if (state !== "ok") return check("runtime", "fail", "Docker is not ready", message, { next_step });
  const needed = manifest.needs.docker.replace(">=", "");
  if (Bun.semver.order(padVersion(version ?? "0"), padVersion(needed)) < 0) {
    const detail = `Docker ${version} runs here; ${manifest.display_name} needs ${needed} or newer.`;
    return check("runtime", "fail", "Docker is too old", detail, { next_step: "Upgrade Docker on this server." });
  }
  return check("runtime", "ok", "Docker is running", message);
}

/** `20.10.24+dfsg1` and `20.10` as three plain numbers. */
function padVersion(text: string): string {
  const [major = "0", minor = "0", patch = "0"] = text.replace(/[^0-9.].*$/, "").split(".");
  return [major, minor, patch].map(Number).join(".");
}

/** Room in the unit people think in: `512 MB`, `21.1 GB`. */
function amount(mb: number): string {
  return mb < 1024 ? `${Math.floor(mb)} MB` : `${(mb / 1024).toFixed(1)} GB`;
}

function checkRoom(id: "memory" | "disk", title: string, room: Room | null, neededMb: number): PlanCheck {
  if (!room) return check(id, "warn", title, "It could not be measured.");
  const needed = neededMb * MIB;
  const fields = { used: room.used + needed, total: room.used + room.free };
  const detail = `Needs about ${amount(neededMb)}; ${amount(room.free / MIB)} are free.`;
  if (needed <= room.free) return check(id, "ok", title, detail, fields);
  const next_step = id === "memory" ? "Stop an app that you do not need now." : "Free some space on the disk.";
  // Memory can be given back by others at any time; a full disk breaks everybody.
  return check(id, id === "memory" ? "warn" : "fail", title, detail, { ...fields, next_step });
}

/** Memory that could be used without swapping against what the app needs. */
export function checkMemory({ host }: { host: Pick<Own["host"], "memory"> }, { manifest }: Wants): PlanCheck {
  const { total, used } = host.memory();
  return checkRoom("memory", "Memory", total > 0 ? { used, free: total - used } : null, manifest.needs.ram_mb);
}

/** What is asked for the room that Docker has. */
export interface DiskSources {
  runtime: { facts(): Pick<NonNullable<ReturnType<Own["runtime"]["facts"]>>, "root_dir"> | null };
  config: Pick<Own["config"], "data_dir">;
  host: Pick<Own["host"], "space" | "ownSpace">;
}

/** Space where Docker keeps images and volumes against what the app needs. */
export async function checkDisk({ runtime, config, host }: DiskSources, { manifest }: Wants): Promise<PlanCheck> {
  const root = runtime.facts()?.root_dir;
  // Docker's folder may be hidden from us; that of our own data is a good guess then.
  const room = (root ? await host.space(root) : null) ?? (await host.ownSpace(config.data_dir));
  return checkRoom("disk", "Disk space", room, manifest.needs.disk_mb);
}

/** The processor against the template's list. */
export function checkArch({ runtime }: Pick<Own, "runtime">, { manifest }: LoadedTemplate): PlanCheck {
  const arch = runtime.facts()?.arch ?? (process.arch === "x64" ? "amd64" : process.arch);
  const has = manifest.arch.some((item) => item === arch);
  if (has) return check("arch", "ok", "Processor", `${arch} is supported.`);
  const detail = `This server is ${arch}; the app exists for ${manifest.arch.join(" and ")}.`;
  return check("arch", "fail", "Processor", detail, { next_step: "It cannot run on this server." });
}

/** Apps against the plan's limit. */
export function checkLimit({ db, plan }: Pick<Own, "db" | "plan">): PlanCheck {
  const { installed } = countApps(db);
  const limit = appLimitOf(plan());
  const total = Number.isFinite(limit) ? limit : null;
  const detail = total === null ? "Any number of apps." : `${installed} of ${total} apps are installed.`;
  if (installed < limit) return check("plan", "ok", "Plan", detail, { used: installed + 1, total });
  const next_step = `Uninstall an app, or upgrade to ${planForApps(installed + 1)}.`;
  return check("plan", "fail", "Plan", detail, { used: installed + 1, total, next_step });
}

/** Permissions that the admin has yet to confirm. */
export function checkPermissions(
  template: LoadedTemplate,
  config: AppConfig,
  dangers: readonly PathDanger[],
): PlanCheck {
  const asked = [...template.manifest.permissions, ...dangers.map(asPermission)];
  if (asked.length === 0)
    return check("permissions", "ok", "Permissions", "It reaches nothing outside its own containers.");
  const missing = [...unconfirmed(template, config), ...openDangers(dangers, config).map(({ id }) => id)];
  if (missing.length === 0) return check("permissions", "ok", "Permissions", "All are confirmed.");
  const titles = asked.filter(({ id }) => missing.includes(id)).map(({ title }) => title);
  const next_step = "Read and confirm them.";
  return check("permissions", "warn", "Permissions", `To be confirmed: ${titles.join(", ")}.`, { next_step });
}

/** Turns what a rule throws into a failed check. */
export function checkRule(id: "name" | "inputs", title: string, detail: string, rule: () => void): PlanCheck {
  try {
    rule();
    return check(id, "ok", title, detail);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return check(id, "fail", title, error.message, { next_step: "Correct it and look again." });
  }
}

/** Asks the registries for every image that is not here yet. */
export async function checkImages(
  { runtime, settings, registries }: Pick<Own, "runtime" | "settings" | "registries">,
  project: ComposeProject,
): Promise<PlanCheck> {
  const engine = runtime.engine();
  if (!engine) return check("image", "warn", "Images", "They can be looked for once Docker is ready.");
  const images = [...new Set(project.services.map(({ image }) => image))];
  let here = 0;
  const look = async (image: string): Promise<string | null> => {
    if ((await findImageHere({ settings }, engine, image)) !== null) {
      here += 1;
      return null;
    }
    let reason = "";
    for (const { reference, login } of listSources({ settings, registries }, image)) {
      try {
        await engine.checkImage(reference, login, IMAGE_CHECK_MS);
        return null;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        reason = explainPull(image, error.status === 0 ? "timeout" : error.message).cause;
      }
    }
    return reason;
  };
  const trouble = (await Promise.all(images.map(look))).filter((reason) => reason !== null);
  if (trouble.length === 0) {
    const detail = here === images.length ? "All are on this server already." : "All can be downloaded.";
    return check("image", "ok", "Images", detail);
  }
  const next_step =
    "Check the server's network, or set a registry mirror under Settings, or add a login under Containers, Images.";
  return check("image", "fail", "Images", trouble.join(" "), { next_step });
}
