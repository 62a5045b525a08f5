import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** Lists of names that are not to be found are long; what comes after so much is not read. */
const MAX_BYTES = 4 * 1024 * 1024;
/** As many domains are tried for a name, and as many dots are asked for, as the system's own library would. */
const MAX_DOMAINS = 6;
const MAX_NDOTS = 15;
/** What the system itself looks into; other modules are programs of others. */
const PLAIN_SOURCES: ReadonlySet<string> = new Set(["files", "dns"]);

/** How names without many dots are completed. */
export interface Search {
  domains: readonly string[];
  /** A name with so many dots is asked for as it stands first. */
  ndots: number;
}

/** Reads a small file of the system, in small letters, anew when it has changed; empty where there is none. */
export function createTextFile(path: string): () => string {
  let known = "";
  let text = "";
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const seen = `${mtimeMs} ${size} ${ino}`;
      if (seen !== known) [known, text] = [seen, read(path)];
    } catch {
      [known, text] = ["", ""];
    }
    return text;
  };
}

function read(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(statSync(path).size, MAX_BYTES));
    return bytes.toString("latin1", 0, readSync(file, bytes)).toLowerCase();
  } finally {
    closeSync(file);
  }
}

const isBetween = (sign: string | undefined): boolean => sign === undefined || /[\s#]/.test(sign);

/** The addresses that /etc/hosts has for a name, all its lines together. */
export function findInHosts(text: string, name: string): string[] {
  const found = new Set<string>();
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    // Most places are a part of another name, which is seen without cutting lines out.
    if (!isBetween(text[at - 1]) || !isBetween(text[at + name.length])) continue;
    const [line = ""] = text.slice(text.lastIndexOf("\n", at) + 1, at + name.length).split("\n", 1);
    const [address = "", ...names] = line.trim().split(/\s+/);
    if (isIP(address) !== 0 && names.at(-1) === name && !line.includes("#")) found.add(address);
  }
  return [...found];
}

/** How /etc/resolv.conf has names completed: by its last list of domains, else by the one that this machine is in. */
export function readSearch(text: string, hostname: string): Search {
  let domains = hostname.includes(".") ? [hostname.slice(hostname.indexOf(".") + 1)] : [];
  let ndots = 1;
  for (const line of text.split("\n")) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "search" || word === "domain") domains = rest;
    const dots = word === "options" ? rest.findLast((one) => /^ndots:\d+$/.test(one)) : undefined;
    if (dots !== undefined) ndots = Math.min(MAX_NDOTS, Number(dots.slice("ndots:".length)));
  }
  const plain = domains.map((domain) => domain.toLowerCase().replace(/\.$/, "")).filter((domain) => domain !== "");
  return { domains: plain.slice(0, MAX_DOMAINS), ndots };
}

/** What is asked for in turn for a name; one that ends in a dot is complete. */
export function completions(name: string, { domains, ndots }: Search): string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split(".").length > ndots ? [name, ...completed] : [...completed, name];
}

/** Whether /etc/nsswitch.conf has names looked up elsewhere, too: by the host's own name service, mDNS, a directory. */
export function hasOtherSources(text: string): boolean {
  const line = text.split("\n").find((one) => /^\s*hosts:/.test(one)) ?? "";
  const [plain = ""] = line.split("#", 1);
  const sources = plain
    .replace(/\[[^\]]*\]/g, " ")
    .trim()
    .split(/\s+/)
    .slice(1);
  return sources.some((source) => !PLAIN_SOURCES.has(source));
}
