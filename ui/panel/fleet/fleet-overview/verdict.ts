import { inWords } from "../../../client/format.ts";

/** Counts of a fleet or of a region. */
export interface Tally {
  total: number;
  online: number;
  degraded: number;
  offline: number;
}

/** A region of the overview. */
export interface RegionTally extends Tally {
  region: string;
}

/** The overview in one or two sentences: how many are well, and where the others are. */
export function verdictOf(all: Tally, regions: readonly RegionTally[]): string {
  const nodes = `${number(all.total)} ${all.total === 1 ? "node" : "nodes"}`;
  if (all.online === all.total) return all.total === 1 ? "Your node is well." : `All ${nodes} are well.`;
  const first = `${number(all.online)} of ${nodes} ${all.online === 1 || all.total === 1 ? "is" : "are"} well.`;
  const [kind, count] = all.offline > 0 ? (["offline", all.offline] as const) : (["degraded", all.degraded] as const);
  const worst = regions.toSorted((a, b) => b[kind] - a[kind])[0];
  if (worst === undefined || worst[kind] === 0) return first;
  const name = regionName(worst.region);
  if (regions.length === 1) return `${first} ${words(count)} ${be(count)} ${kind}.`;
  if (worst[kind] === count) return `${first} ${words(count)} ${be(count)} ${kind}, ${allOf(count)} in ${name}.`;
  return `${first} ${words(count)} ${be(count)} ${kind}, ${inWords(worst[kind])} of them in ${name}.`;
}

const number = (value: number): string => value.toLocaleString("en");
const be = (count: number): string => (count === 1 ? "is" : "are");
const allOf = (count: number): string => (count === 1 ? "and that" : count === 2 ? "both" : "all");
const words = (count: number): string => (count <= 12 ? inWords(count, true) : number(count));

/** How a region is called; nodes without one are counted as `unknown`. */
export function regionName(region: string): string {
  return region === "unknown" ? "no region" : region;
}

/** A change since yesterday with its sign, a real minus; null where it is not known. */
export function deltaText(delta: number | null): string | null {
  if (delta === null) return null;
  if (delta === 0) return "±0";
  return `${delta > 0 ? "+" : "−"}${number(Math.abs(delta))}`;
}
