import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { NodeConfig } from "../../config.ts";
import { DRIVE_BUCKET } from "../objects/index.ts";

/** Where the previous store lies. */
export interface Places {
  data: string;
  env: string;
  binary: string;
  isOwnEnv: boolean;
  /** Its program lies in the node's own folder, and goes with the data. */
  isOwnBinary: boolean;
}

/** The places that the configuration names, or those in the data folder. */
export function findPlaces(config: Pick<NodeConfig, "data_dir" | "minio_data" | "minio_env" | "minio_binary">): Places {
  const own = join(resolve(config.data_dir), "minio");
  const binary = resolve(config.minio_binary || join(own, "minio"));
  const env = resolve(config.minio_env || join(own, "minio.env"));
  return {
    data: resolve(config.minio_data || join(own, "data")),
    env,
    binary,
    isOwnEnv: env.startsWith(own + sep),
    isOwnBinary: binary.startsWith(own + sep),
  };
}

/** The folder in which a MinIO keeps what is its own. */
export const OWN_FOLDER = ".minio.sys";

/** Whether a folder holds the data of a MinIO. */
export const isLegacyData = (data: string): boolean => existsSync(join(data, OWN_FOLDER));

/** Whether something lies in a folder, or is that folder. */
export function liesIn(path: string, folder: string): boolean {
  const [step] = relative(folder, path).split(sep);
  return step !== "..";
}

/** Whether the previous store may have a bucket of the Drive, as far as its folder shows: each bucket is a folder in it. */
export const mayHoldDrive = (data: string): boolean => existsSync(join(data, DRIVE_BUCKET));
