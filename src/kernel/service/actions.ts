import type { Host } from "./host.ts";

/**
 * One change to the host, as data: a plan is printed by `--dry-run` and applied otherwise, so that what is announced is
 * what happens.
 */
export type Action =
  | { kind: "directory"; path: string; mode: number }
  | { kind: "file"; path: string; mode: number; content: string; secret?: boolean }
  | { kind: "copy"; path: string; mode: number; from: string }
  | { kind: "link"; path: string; target: string }
  | { kind: "remove"; path: string }
  | { kind: "remove-tree"; path: string }
  /** Removes something through the HTTP API behind a Unix socket; already gone is fine. */
  | { kind: "delete"; what: string; unix: string; url: string }
  /**
   * `touches` names the paths that the command makes or removes by itself; a trailing `/` covers all below. `timeoutMs` is for a
   * command that may rightly take longer than others.
   */
  | { kind: "run"; argv: readonly string[]; touches: readonly string[]; timeoutMs?: number };

const octal = (mode: number) => mode.toString(8).padStart(4, "0");

/** One line for people, in the imperative: `write file /etc/orrery/node.env (mode 0644, 210 bytes)`. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case "directory":
      return `make directory ${action.path} (mode ${octal(action.mode)})`;
    case "file":
      return `write file ${action.path} (mode ${octal(action.mode)}, ${action.secret ? "a new secret" : `${Buffer.byteLength(action.content)} bytes`})`;
    case "copy":
      return `copy ${action.from} to ${action.path} (mode ${octal(action.mode)})`;
    case "link":
      return `link ${action.path} to ${action.target}`;
    case "remove":
      return `remove ${action.path}`;
    case "remove-tree":
      return `remove ${action.path} and everything in it`;
    case "delete":
      return `remove ${action.what}`;
    case "run":
      return `run ${action.argv.join(" ")}${action.touches.length > 0 ? ` (touches ${action.touches.join(", ")})` : ""}`;
  }
}

/** Carries out one action. Throws when a command fails, with what it said. */
export async function applyAction(host: Host, action: Action): Promise<void> {
  switch (action.kind) {
    case "directory":
      return host.makeDirectory(action.path, action.mode);
    case "file":
      return host.write(action.path, action.content, action.mode);
    case "copy":
      return host.copy(action.from, action.path, action.mode);
    case "link":
      return host.link(action.path, action.target);
    case "remove":
      return host.remove(action.path);
    case "remove-tree":
      return host.removeTree(action.path);
    case "delete": {
      const answer = await host.delete(action.url, { unix: action.unix });
      if (!answer || (answer.status >= 300 && answer.status !== 404))
        throw new Error(`${action.what} could not be removed (${answer?.status ?? "no answer"})`);
      return;
    }
    case "run": {
      const { code, stdout, stderr } = await host.run(action.argv, action.timeoutMs);
      if (code !== 0) throw new Error(`${action.argv.join(" ")} ended with ${code}: ${(stderr || stdout).trim()}`);
    }
  }
}

/** Folders that are missing on the way to `path`, and `path` itself when it is missing or has another mode. */
export function wantDirectory(host: Host, path: string, mode: number): Action[] {
  const facts = host.stat(path);
  if (facts?.kind === "directory" && facts.mode === mode) return [];
  const parent = path.slice(0, path.lastIndexOf("/"));
  const parents = parent === "" || host.stat(parent) ? [] : wantDirectory(host, parent, 0o755);
  return [...parents, { kind: "directory", path, mode }];
}

/** The file with that text and mode, unless it is there already. */
export function wantFile(host: Host, path: string, mode: number, content: string): Action[] {
  const isSame = host.stat(path)?.mode === mode && host.read(path) === content;
  return isSame ? [] : [{ kind: "file", path, mode, content }];
}

/** The link, unless it points there already. */
export function wantLink(host: Host, path: string, target: string): Action[] {
  return host.target(path) === target ? [] : [{ kind: "link", path, target }];
}

/** Removal of what is there. */
export function wantGone(host: Host, path: string): Action[] {
  const facts = host.stat(path);
  if (!facts) return [];
  return [{ kind: facts.kind === "directory" ? "remove-tree" : "remove", path }];
}

/** Drops an action that an earlier one repeats: several files may ask for the same folder. */
export function withoutRepeats(actions: readonly Action[]): Action[] {
  const seen = new Set<string>();
  return actions.filter((action) => {
    const key = describeAction(action);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
