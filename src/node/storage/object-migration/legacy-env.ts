import { readFileSync } from "node:fs";

/** What the environment of a MinIO says that is needed here. */
export interface LegacyEnv {
  access_key: string;
  secret_key: string;
  region: string;
  /** Where it listens. */
  host: string;
  port: number;
  /** What its program is started with. */
  all: Readonly<Record<string, string>>;
}

const USUAL_PORT = 9000;
const MOST_BYTES = 64 * 1024;

const unquote = (text: string): string => {
  const value = text.trim();
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(value);
  return quoted === null ? value : (quoted[1] ?? quoted[2] ?? "");
};

/** Lines such as `MINIO_ROOT_USER=admin`, as shells and systemd have them. Other variables than MinIO's are left out. */
export function parseEnv(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, name = "", value = ""] = /^\s*(?:export\s+)?(MINIO_[A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (name !== "") found[name] = unquote(value);
  }
  return found;
}

/** `:9000`, `0.0.0.0:9000`, `[::1]:9000` or `127.0.0.1:9000`, as it is reached from this machine. */
function readAddress(text: string): { host: string; port: number } {
  const [, name = "", digits = ""] = /^(.*?)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = name.replace(/^\[|\]$/g, "");
  const isAny = ["", "0.0.0.0", "::", "localhost"].includes(host);
  return { host: isAny ? "127.0.0.1" : host, port: digits === "" ? USUAL_PORT : Number(digits) };
}

/** The environment of a MinIO in that file; null where the file is not there. Throws an Error that says what is missing in it. */
export function readLegacyEnv(path: string): LegacyEnv | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  if (text.length > MOST_BYTES) throw new Error(`${path} is no file with an environment.`);
  const all = parseEnv(text);
  const access_key = all["MINIO_ROOT_USER"] ?? all["MINIO_ACCESS_KEY"] ?? "";
  const secret_key = all["MINIO_ROOT_PASSWORD"] ?? all["MINIO_SECRET_KEY"] ?? "";
  if (access_key === "" || secret_key === "")
    throw new Error(`${path} names no MINIO_ROOT_USER and MINIO_ROOT_PASSWORD.`);
  const told = /--address[= ]\s*("?)(\S+?)\1(?:\s|$)/.exec(all["MINIO_OPTS"] ?? "")?.[2];
  const region = all["MINIO_SITE_REGION"] ?? all["MINIO_REGION"] ?? "us-east-1";
  return { access_key, secret_key, region, ...readAddress(told ?? all["MINIO_ADDRESS"] ?? ""), all };
}
