import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunProgram, tryProgram } from "../../src/kernel/host/run-program.ts";
import type { HostPackage, HostUnit } from "../../src/node/host/host-role/index.ts";

/** What `apt-get` does instead of its work. */
export type AptFault =
  | "enormous"
  | "failing"
  | "half-done"
  | "half-set-up"
  | "hanging"
  | "locked"
  | "old-lists"
  | "silent"
  | "stuck-snap";

/** Programs that play a Debian with systemd in a folder: `apt-get`, `apt-cache`, `dpkg`, `dpkg-query`, `systemctl`. */
export interface FakeHostPrograms {
  /** To be put first in PATH. */
  folder: string;
  /** Runs programs from that folder only. */
  run: RunProgram;
  install(name: HostPackage, version?: string): void;
  /** What the sources offer; with `later`, only after the next `apt-get update`. */
  offer(name: HostPackage, version?: string, later?: "later"): void;
  /** `needs` cannot stay when `name` goes. */
  depend(needs: HostPackage, name: HostPackage): void;
  isInstalled(name: HostPackage): boolean;
  /** What systemd knows of a unit; `broken` units do not start, of those that are gone only the state is left. */
  unit(name: HostUnit, state: { active?: string; file?: string; broken?: boolean | "gone" }): void;
  /** `ActiveState UnitFileState`. */
  unitState(name: HostUnit): string;
  /** Docker of the snap store, and whether it is on. */
  snapDocker(enabled: boolean): void;
  isSnapOn(): boolean;
  /** Until `fault(null)`; `half-set-up` leaves packages unpacked and not set up, `half-done` mends itself by `dpkg --configure`, `old-lists` by `apt-get update`. */
  fault(fault: AptFault | null): void;
  /** Every call so far: the program and its words. */
  calls(): string[];
  /** Environment of the last call of `apt-get`. */
  environment(): string;
  remove(): void;
}

const HEAD = `#!/bin/sh
D=$(dirname "$0")/state
echo "$(basename "$0") $*" >>"$D/calls"
after() { while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done; [ $# -gt 0 ] && shift; echo "$@"; }
`;

const PROGRAMS = {
  "dpkg-query": `code=0
for name in $(after "$@"); do
  if [ -e "$D/installed/$name" ]; then printf '%s\\tinstalled\\t%s\\n' "$name" "$(cat "$D/installed/$name")"
  elif [ -e "$D/half/$name" ]; then printf '%s\\thalf-configured\\t1\\n' "$name"
  elif [ -e "$D/left/$name" ]; then printf '%s\\tconfig-files\\t1\\n' "$name"
  else echo "dpkg-query: no packages found matching $name" >&2; code=1; fi
done
exit $code`,
  "apt-cache": `for name in $(after "$@"); do
  [ -e "$D/offered/$name" ] || continue
  printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n  Version table:\\n' "$name" "$(cat "$D/offered/$name")"
done`,
  dpkg: `[ "$(cat "$D/fault" 2>/dev/null)" = half-done ] && rm "$D/fault"
exit 0`,
  "apt-get": `env >"$D/environment"
fault=$(cat "$D/fault" 2>/dev/null)
word= simulate=
for one in "$@"; do
  case $one in --) break ;; --simulate) simulate=1 ;; update|install|remove) word=$one ;; esac
done
if [ $word = update ]; then
  [ "$fault" = old-lists ] && rm "$D/fault"
  mv "$D"/later/* "$D/offered/" 2>/dev/null
  echo "Hit:1 http://deb.example bookworm InRelease"; exit 0
fi
if [ -n "$simulate" ]; then
  for name in $(after "$@"); do
    echo "Remv $name [1]"
    [ -e "$D/needs/$name" ] && while read -r other; do echo "Remv $other:amd64 [1]"; done <"$D/needs/$name"
  done
  exit 0
fi
case $fault in
  locked) echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (unattended-upgr)" >&2
    echo "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?" >&2; exit 100 ;;
  failing) echo "Setting up ..."; echo "E: Sub-process /usr/bin/dpkg returned an error code (1)" >&2; exit 100 ;;
  hanging) echo "Waiting ..."; exec sleep 600 ;;
  enormous) yes "Unpacking a very long line of output that goes on and on" | head -c 20000000 ;;
  half-done) echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem." >&2; exit 100 ;;
  old-lists) echo "E: Failed to fetch http://deb.example/x.deb  404  Not Found" >&2; exit 100 ;;
  silent) exit 0 ;;
esac
for name in $(after "$@"); do
  if [ $word = install ]; then
    [ -e "$D/offered/$name" ] || { echo "E: Unable to locate package $name" >&2; exit 100; }
    [ "$fault" = half-set-up ] && { : >"$D/half/$name"; echo "dpkg: error processing package $name (--configure):" >&2; exit 100; }
    rm -f "$D/half/$name"
    echo "Setting up $name ..."; cp "$D/offered/$name" "$D/installed/$name"
  else echo "Removing $name ..."; rm -f "$D/installed/$name" "$D/half/$name"; : >"$D/left/$name"; fi
done`,
  snap: `[ -e "$D/snaps" ] || { echo "error: no matching snaps installed" >&2; exit 1; }
snap=$(after "$@")
case $1 in
  list) echo "Name    Version  Rev   Tracking       Publisher   Notes"
    echo "$snap  24.0.5   2915  latest/stable  canonical✓  $(cat "$D/snaps")" ;;
  disable|enable)
    [ "$(cat "$D/fault" 2>/dev/null)" = stuck-snap ] && { echo "error: cannot perform the following tasks" >&2; exit 1; }
    [ $1 = disable ] && echo disabled >"$D/snaps" || echo - >"$D/snaps" ;;
esac`,
  systemctl: `[ -d "$D/units" ] || { echo "System has not been booted with systemd as init system (PID 1). Can't operate." >&2; exit 1; }
word=
for one in "$@"; do case $one in --) break ;; -*) ;; *) word=$one ;; esac; done
if [ $word = show ]; then
  gap=
  for unit in $(after "$@"); do
    load=loaded active=inactive file= broken=
    [ -e "$D/units/$unit" ] && read -r active file broken <"$D/units/$unit" || load=not-found
    [ "$broken" = gone ] && load=not-found
    printf "$gap"'Id=%s\nLoadState=%s\nActiveState=%s\nUnitFileState=%s\n' "$unit" $load "$active" "$file"
    gap='\n'
  done
  exit 0
fi
unit=$(after "$@")
if [ ! -e "$D/units/$unit" ]; then
  echo "Failed to $word unit: Unit file $unit does not exist." >&2; exit 1
fi
read -r active file broken <"$D/units/$unit"
case $word in
  enable) file=enabled ;;
  disable) file=disabled ;;
  reset-failed|stop) active=inactive ;;
  start) active=active
    if [ "$broken" = true ]; then
      echo "failed $file true" >"$D/units/$unit"
      echo "Job for $unit failed because the control process exited with error code." >&2; exit 1
    fi ;;
esac
echo "$active $file $broken" >"$D/units/$unit"`,
};

/** Makes them in a folder; nothing is installed, offered or running yet. */
export function makeFakeHostPrograms(folder: string): FakeHostPrograms {
  const state = join(folder, "state");
  const put = (path: string, content: string) => writeFileSync(join(state, path), content);
  const read = (path: string) => (existsSync(join(state, path)) ? readFileSync(join(state, path), "utf8") : "");
  for (const name of ["half", "installed", "offered", "later", "left", "needs", "units"])
    mkdirSync(join(state, name), { recursive: true });
  for (const [name, script] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), `${HEAD}${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    folder,
    run: ([program = "", ...words], options) => tryProgram([join(folder, program), ...words], options),
    install: (name, version = "1.0") => put(`installed/${name}`, `${version}\n`),
    offer: (name, version = "1.0", later) => put(`${later ?? "offered"}/${name}`, `${version}\n`),
    depend: (needs, name) => appendFileSync(join(state, "needs", name), `${needs}\n`),
    isInstalled: (name) => existsSync(join(state, "installed", name)),
    unit: (name, { active = "inactive", file = "disabled", broken = false }) =>
      put(`units/${name}`, `${active} ${file} ${broken}\n`),
    unitState: (name) => read(`units/${name}`).split(" ").slice(0, 2).join(" "),
    snapDocker: (enabled) => put("snaps", enabled ? "-\n" : "disabled\n"),
    isSnapOn: () => read("snaps").trim() === "-",
    fault: (fault) => (fault === null ? rmSync(join(state, "fault"), { force: true }) : put("fault", `${fault}\n`)),
    calls: () => read("calls").split("\n").slice(0, -1),
    environment: () => read("environment"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
