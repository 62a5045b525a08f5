import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A recorded series and the times in which it was really unusual. Times in milliseconds. */
export interface Labelled {
  name: string;
  stepMs: number;
  points: { t: number; value: number }[];
  windows: (readonly [from: number, to: number])[];
}

const HERE = import.meta.dir;

function expand(token: string): number[] {
  const [value = "", times = "1"] = token.split("*");
  return Array.from({ length: Number(times) }, () => Number(value));
}

/** Reads the compact form that the README describes. */
export function parseCompact(text: string): Pick<Labelled, "stepMs" | "points"> {
  const [head = "", ...lines] = text.split("\n");
  const start = Date.parse(head.split(" ")[0] ?? "");
  const stepMs = Number(/step=(\d+)/.exec(head)?.[1]) * 1000;
  const points: Labelled["points"] = [];
  let t = start;
  for (const token of lines.join(" ").trim().split(/\s+/)) {
    if (token.startsWith("@")) {
      t = start + Number(token.slice(1)) * 1000;
      continue;
    }
    for (const value of expand(token)) {
      points.push({ t, value });
      t += stepMs;
    }
  }
  return { stepMs, points };
}

type WindowTexts = Record<string, [string, string][]>;

// The labels of the benchmark name no zone; like the timestamps of its series they are read as UTC.
const toUtc = (text: string): number => Date.parse(`${text.slice(0, 19).replace(" ", "T").replace("Z", "")}Z`);
const windowsOf = (texts: WindowTexts, name: string): Labelled["windows"] =>
  (texts[name] ?? []).map(([from, to]) => [toUtc(from), toUtc(to)]);

/** The series of this repository, those without any anomaly first. */
export function readOwn(): Labelled[] {
  const windows: WindowTexts = JSON.parse(readFileSync(join(HERE, "windows.json"), "utf8"));
  return readdirSync(join(HERE, "series"))
    .sort()
    .map((file) => {
      const name = basename(file, ".txt");
      const text = readFileSync(join(HERE, "series", file), "utf8");
      return { name, ...parseCompact(text), windows: windowsOf(windows, name) };
    });
}

/** The usual time between two points: the shortest that is not an exception. */
function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((t, index) => t - (times[index] ?? t));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}

const foldersOf = (place: string): string[] =>
  readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Series of a checkout of the benchmark; `folders` limits to those below `data`. */
export function readCheckout(root: string, folders: readonly string[]): Labelled[] {
  const windows: WindowTexts = JSON.parse(readFileSync(join(root, "labels/combined_windows.json"), "utf8"));
  const chosen = folders.length > 0 ? folders : foldersOf(join(root, "data"));
  return chosen.flatMap((folder) =>
    readdirSync(join(root, "data", folder))
      .filter((file) => file.endsWith(".csv"))
      .map((file) => {
        const [, ...lines] = readFileSync(join(root, "data", folder, file), "utf8")
          .trim()
          .split("\n");
        const points = lines.map((line) => {
          const [at = "", value = ""] = line.split(",");
          return { t: toUtc(at), value: Number(value) };
        });
        const name = `${folder}/${file}`;
        return { name, points, stepMs: usualStep(points.map(({ t }) => t)), windows: windowsOf(windows, name) };
      }),
  );
}
