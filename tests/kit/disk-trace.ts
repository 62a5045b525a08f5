/**
 * What a program did to a folder, as `strace` saw it, played again up to any point: what a kill leaves there, and what a power cut
 * leaves of it. A byte is on the disk for sure once its file was synced, a name once its folder was.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What is traced, as `strace` takes it. */
export const TRACED =
  "openat,write,pwrite64,writev,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync";

/** How `strace` tells it in a way that can be read back. */
export const straceOf = (file: string, ...options: string[]): string[] => [
  "strace",
  "-f",
  "--seccomp-bpf",
  "-v",
  "-xx",
  "-y",
  "-s",
  "8000000",
  "-o",
  file,
  ...options,
];

export type Step =
  | { do: "make"; path: string; empties: boolean }
  | { do: "folder"; path: string }
  | { do: "write"; path: string; at: number | null; bytes: Buffer }
  | { do: "cut"; path: string; length: number }
  | { do: "rename"; path: string; to: string }
  | { do: "remove"; path: string }
  | { do: "sync"; path: string };

const decode = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex");

/** The calls of a trace in the order in which they ended; those that failed did nothing. */
function* readCalls(file: string): Generator<{ name: string; args: string; result: number }> {
  const begun = new Map<string, string>();
  for (const line of readFileSync(file, "latin1").split("\n")) {
    const [, pid = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (text.endsWith("<unfinished ...>")) begun.set(pid, text.slice(0, -"<unfinished ...>".length));
    else {
      const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
      const whole = rest === undefined ? text : `${begun.get(pid) ?? ""}${rest}`;
      // Short calls are filled up with spaces before what they answered.
      const end = whole.lastIndexOf(") ");
      const result = Number(/^ *= (\d+)/.exec(whole.slice(end + 1))?.[1] ?? -1);
      const open = whole.indexOf("(");
      if (end > open && result >= 0)
        yield { name: whole.slice(0, open), args: whole.slice(open + 1, end).trim(), result };
    }
  }
}

/** The steps of a trace that concern files. */
export function readTrace(file: string): Step[] {
  const steps: Step[] = [];
  for (const { name, args, result } of readCalls(file)) {
    const open = /^\d+<([^>]*)>/.exec(args)?.[1];
    const path = open === undefined ? "" : decode(open).toString("utf8");
    const texts = [...args.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => decode(text));
    // A name without a slash before it is one in the folder that is open.
    const [first = "", second = ""] = texts.slice(0, 2).map((text) => resolve(path, text.toString("utf8")));
    const last = Number(/, (\d+)$/.exec(args)?.[1]);
    if (name === "openat" && args.includes("O_CREAT"))
      steps.push({ do: "make", path: first, empties: args.includes("O_TRUNC") });
    if (name.startsWith("mkdir")) steps.push({ do: "folder", path: first });
    if (name.startsWith("rename")) steps.push({ do: "rename", path: first, to: second });
    if (name.startsWith("unlink")) steps.push({ do: "remove", path: first });
    if (name.endsWith("sync")) steps.push({ do: "sync", path });
    if (name === "ftruncate") steps.push({ do: "cut", path, length: last });
    if (name === "pwrite64")
      steps.push({ do: "write", path, at: last, bytes: Buffer.concat(texts).subarray(0, result) });
    if (name === "write" || name === "writev")
      steps.push({ do: "write", path, at: null, bytes: Buffer.concat(texts).subarray(0, result) });
  }
  return steps;
}

type Change = { at: number; bytes: Buffer } | { length: number };

/** The same numbers from 0 to 1 at every run. */
export function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Inode {
  live: Buffer;
  durable: Buffer;
  /** What came after the last sync. */
  pending: Change[];
}

function apply(before: Buffer, change: Change): Buffer {
  const length = "length" in change ? change.length : Math.max(before.length, change.at + change.bytes.length);
  const after = length === before.length ? before : Buffer.concat([before, Buffer.alloc(length)], length);
  if ("bytes" in change) change.bytes.copy(after, change.at);
  return after;
}

type Names = Map<string, Inode | "folder">;

/** How much of what was not synced a cut leaves: all (a kill), nothing, or what the draw says. */
export type Leaving = "all" | "nothing" | "some";

/** A folder as the steps so far have made it. */
export interface Disk {
  take(step: Step): void;
  /** Writes what is left after a cut now to `folder`; `draw` gives numbers from 0 to 1. */
  leave(folder: string, leaving: Leaving, draw: () => number): void;
}

/** Follows what happens below `root`, which is there from the beginning, and empty. */
export function createDisk(root: string): Disk {
  const live: Names = new Map([[root, "folder"]]);
  const durable: Names = new Map(live);
  const isBelow = (path: string) => path.startsWith(`${root}/`);

  const inodeAt = (path: string): Inode | null => {
    const found = live.get(path);
    return found === undefined || found === "folder" ? null : found;
  };

  function change(path: string, what: Change): void {
    const inode = inodeAt(path);
    if (inode === null) return;
    inode.live = apply(inode.live, what);
    inode.pending.push(what);
  }

  function sync(path: string): void {
    const inode = inodeAt(path);
    if (inode !== null) {
      for (const what of inode.pending) inode.durable = apply(inode.durable, what);
      inode.pending = [];
    }
    if (live.get(path) !== "folder") return;
    for (const name of durable.keys()) if (dirname(name) === path && !live.has(name)) durable.delete(name);
    for (const [name, entry] of live) if (dirname(name) === path) durable.set(name, entry);
  }

  /** A file that is in the middle of being written: so many of its changes, and the next one in part. */
  function tear({ durable: bytes, pending }: Inode, draw: () => number): Buffer {
    let left: Buffer = Buffer.from(bytes);
    const whole = Math.floor(draw() * (pending.length + 1));
    for (const what of pending.slice(0, whole)) left = apply(left, what);
    const next = pending[whole];
    if (next === undefined || !("bytes" in next)) return left;
    const sectors = Math.floor((draw() * next.bytes.length) / 512) * 512;
    return sectors === 0 ? left : apply(left, { at: next.at, bytes: next.bytes.subarray(0, sectors) });
  }

  return {
    take(step) {
      const { path } = step;
      if (!isBelow(path) && path !== root) return;
      if (step.do === "folder") live.set(path, "folder");
      if (step.do === "make" && !live.has(path))
        live.set(path, { live: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] });
      if (step.do === "make" && step.empties) change(path, { length: 0 });
      if (step.do === "write") change(path, { at: step.at ?? inodeAt(path)?.live.length ?? 0, bytes: step.bytes });
      if (step.do === "cut") change(path, { length: step.length });
      if (step.do === "remove") live.delete(path);
      if (step.do === "sync") sync(path);
      if (step.do !== "rename") return;
      const moved = live.get(path);
      live.delete(path);
      if (moved !== undefined) live.set(step.to, moved);
    },
    leave(folder, leaving, draw) {
      const names: Names = new Map(leaving === "all" ? live : durable);
      if (leaving === "some") {
        for (const name of durable.keys()) if (!live.has(name) && draw() < 0.5) names.delete(name);
        for (const [name, entry] of live) if (durable.get(name) !== entry && draw() < 0.5) names.set(name, entry);
      }
      for (const [name, entry] of [...names].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        // What only threads of one program share is nothing that a start reads.
        if (name.endsWith("-shm") || (name !== root && names.get(dirname(name)) !== "folder")) {
          names.delete(name);
          continue;
        }
        const place = join(folder, name.slice(root.length));
        if (entry === "folder") mkdirSync(place, { recursive: true });
        else if (leaving === "all") writeFileSync(place, entry.live);
        else writeFileSync(place, leaving === "some" ? tear(entry, draw) : entry.durable);
      }
    },
  };
}

/** The steps that make what lies in a folder, all of it on the disk. */
export function stepsOf(folder: string): Step[] {
  const paths = ["", ...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true, onlyFiles: false })].toSorted();
  const made = paths.flatMap((name): Step[] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return [{ do: "folder", path }];
    return [
      { do: "make", path, empties: false },
      { do: "write", path, at: 0, bytes: readFileSync(path) },
    ];
  });
  return [...made, ...paths.map((name): Step => ({ do: "sync", path: join(folder, name) }))];
}

/**
 * Plays the steps of a program below `root`, and at `count` drawn points after the first telling hands out what a cut leaves there: once
 * all, once nothing, once some of what was not synced. `said` is what the program had told by then, in the file `told`.
 */
export async function cutTrace(
  {
    steps,
    root,
    told,
    count,
    disk = createDisk(root),
  }: { steps: readonly Step[]; root: string; told: string; count: number; disk?: Disk },
  check: (cut: { leave: (folder: string) => void; said: string; draw: () => number }) => Promise<void>,
): Promise<void> {
  const isTold = (step: Step) => step.do === "write" && step.path === told;
  const first = steps.findIndex(isTold);
  const draw = createDraw(count);
  const cuts = Array.from({ length: count }, () => first + Math.floor(draw() * (steps.length - first)));
  const cutsAt = Map.groupBy(cuts, (cut) => cut);
  let said = "";
  for (const [index, step] of steps.entries()) {
    disk.take(step);
    if (step.do === "write" && isTold(step)) said += step.bytes.toString("utf8");
    for (const _ of cutsAt.get(index) ?? [])
      for (const leaving of ["all", "nothing", "some"] satisfies Leaving[])
        await check({ leave: (folder) => disk.leave(folder, leaving, draw), said, draw });
  }
}
