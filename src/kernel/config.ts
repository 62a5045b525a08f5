import { readFileSync } from "node:fs";
import { readProxy } from "./http/trusted-proxies.ts";

/** What is wrong with the configuration, all of it in one message. */
export class ConfigError extends Error {}

/** One configuration key: where it comes from, what it is, what it means. */
export interface ConfigEntry<T> {
  env: string;
  default: T;
  /** Turns the text into the value; throws an Error that says what is wrong. */
  parse(text: string): T;
  secret?: boolean;
  doc: string;
}

export type ConfigTable = Record<string, ConfigEntry<unknown>>;
export type Config<Table extends ConfigTable> = Readonly<{ [Key in keyof Table]: ReturnType<Table[Key]["parse"]> }>;

export const text = (value: string): string => value;

/** A list separated by commas; blanks are dropped. */
export function list(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Addresses and networks of proxies as requests are compared with them: `::ffff:10.0.0.1` and `[::1]` are `10.0.0.1` and `::1`. */
export function addresses(value: string): string[] {
  return list(value).map((item) => {
    const address = readProxy(item);
    if (address === null)
      throw new Error(`must be addresses or networks such as 10.0.0.0/8, separated by commas, and ${item} is none`);
    return address;
  });
}

/** One of `values`. */
export function oneOf<T extends string>(...values: T[]): (value: string) => T {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(", ")}`);
    return found;
  };
}

/** `true` or `false`. */
export function flag(value: string): boolean {
  return oneOf("true", "false")(value) === "true";
}

/** `HOST:PORT` with an optional bracketed IPv6 host; port 0 asks for a free one. */
export function hostPort(value: string): { host: string; port: number } {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (!match?.[1] || port > 65535) throw new Error("must look like 127.0.0.1:8420");
  return { host: match[1], port };
}

/**
 * Reads all keys from `overrides` (command line), then `env`, then `<ENV>_FILE`, then the default; an empty
 * environment value counts as not set. Throws ConfigError with all problems at once.
 */
export function loadConfig<Table extends ConfigTable>(
  table: Table,
  env: Record<string, string | undefined>,
  overrides: Partial<Record<keyof Table, string>>,
): Config<Table> {
  const problems: string[] = [];
  const entries = Object.entries(table).map(([key, entry]) => {
    try {
      const raw = overrides[key] ?? (env[entry.env] || undefined) ?? readSecretFile(env[`${entry.env}_FILE`]);
      return [key, raw === undefined ? entry.default : entry.parse(raw)];
    } catch (error) {
      problems.push(`${entry.env}: ${error instanceof Error ? error.message : String(error)}`);
      return [key, entry.default];
    }
  });
  if (problems.length > 0) throw new ConfigError(`configuration is not usable:\n  ${problems.join("\n  ")}`);
  return Object.freeze(Object.fromEntries(entries)) as Config<Table>;
}

function readSecretFile(path: string | undefined): string | undefined {
  return path ? readFileSync(path, "utf8").trim() : undefined;
}

/** Rows for `config`: key, environment name, value (secrets hidden) and meaning. */
export function describeConfig<Table extends ConfigTable>(table: Table, config: Config<Table>) {
  return Object.entries(table).map(([key, entry]) => ({
    key,
    env: entry.env,
    value: entry.secret ? "[hidden]" : JSON.stringify(config[key]),
    doc: entry.doc,
  }));
}
