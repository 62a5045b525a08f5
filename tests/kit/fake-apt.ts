import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "./scratch.ts";

/** Programs that stand first in a node's PATH and pretend to be the package manager of a Debian. */
export interface FakeApt {
  /** For the node's PATH. */
  path: string;
  /** Another program installs packages, until `unlock`. */
  lock(): void;
  unlock(): void;
  isInstalled(name: string): boolean;
}

/** Begins a script; `here` is the folder where it keeps what is installed. */
const script = (here: string, lines: string): string => `#!/bin/sh\nhere=${here}\n${lines}`;

/** What follows `--` in the arguments. */
const NAMES = 'while [ $# -gt 0 ] && [ "$1" != "--" ]; do shift; done; shift';

const PROGRAMS: Record<string, string> = {
  "dpkg-query": `${NAMES}
code=0
for name; do
  if [ -e "$here/$name" ]; then printf '%s\\tinstalled\\t7.3-1\\n' "$name"; else code=1; fi
done
exit $code
`,
  "apt-cache": `${NAMES}
for name; do
  printf '%s:\\n  Installed: (none)\\n  Candidate: 7.3-1\\n' "$name"
done
`,
  "apt-get": `if [ -e "$here/.locked" ]; then
  echo "E: Could not get lock /var/lib/dpkg/lock-frontend." >&2
  exit 100
fi
case "$*" in *--simulate*) exit 0;; esac
task=install
case "$*" in *" remove "*) task=remove;; esac
${NAMES}
for name; do
  echo "Setting up $name (7.3-1) ..."
  if [ $task = install ]; then : > "$here/$name"; else rm -f "$here/$name"; fi
  if [ "$name" = restic ] && [ $task = install ]; then
    echo "E: Sub-process /usr/bin/dpkg returned an error code (1)" >&2
    exit 100
  fi
done
`,
  systemctl: `printf 'LoadState=not-found\\nActiveState=inactive\\nUnitFileState=\\n'
`,
};

/** Nothing is installed yet; installing restic fails half-way. */
export function plantFakeApt(): FakeApt {
  const folder = makeScratch("apt");
  const here = join(folder, "state");
  mkdirSync(here);
  for (const [name, lines] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), script(here, lines));
    chmodSync(join(folder, name), 0o755);
  }
  const lock = join(here, ".locked");
  return {
    path: `${folder}:${process.env["PATH"] ?? ""}`,
    lock: () => writeFileSync(lock, ""),
    unlock: () => rmSync(lock, { force: true }),
    isInstalled: (name) => existsSync(join(here, name)),
  };
}
