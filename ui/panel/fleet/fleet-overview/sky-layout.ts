import { polar } from "../../../kit/orbit-layout.ts";
import type { RegionTally } from "./verdict.ts";

/** The picture in its own units. */
export const sky = { width: 560, height: 424, first: 66, gap: 29, last: 186 } as const;

const mostRings = 6;
/** Degrees to both sides of the bottom of a ring that belong to its name. */
const nameRoom = 34;
/** Least distance of two dots along a ring. */
const spacing = 5.6;
const offRing = 10;
const outward = 0.85;

export type DotState = "ok" | "warn" | "crit";

/** A node, or as many as one dot stands for. */
export interface Dot {
  x: number;
  y: number;
  state: DotState;
}

export interface SkyRing {
  region: string;
  radius: number;
  dots: Dot[];
}

export interface Sky {
  rings: SkyRing[];
  /** Nodes that one dot stands for. */
  nodesPerDot: number;
}

/**
 * A ring for each region, the largest outside, and a dot for each node; where they are too many, for as many nodes as it takes.
 * Nodes that need a look stand off the ring, and there is at least one dot for each state that occurs, so that none is missed.
 */
export function skyOf(regions: readonly RegionTally[]): Sky {
  const shown = ringsOf(regions.filter(({ total }) => total > 0));
  const gap = Math.min(sky.gap, (sky.last - sky.first) / Math.max(1, shown.length - 1));
  // A few rings lie outside rather than inside, because an outer ring has more room.
  const start = sky.first + (sky.last - sky.first - gap * (shown.length - 1)) * outward;
  const radiusOf = (index: number): number => start + index * gap;
  const nodesPerDot = Math.max(1, ...shown.map(({ total }, index) => roundUp(total / capacityOf(radiusOf(index)))));
  const rings = shown.map((region, index) => {
    const radius = radiusOf(index);
    return { region: region.region, radius, dots: dotsOf(region, radius, nodesPerDot) };
  });
  return { rings, nodesPerDot };
}

const arc = 360 - 2 * nameRoom;

function capacityOf(radius: number): number {
  return Math.floor((((arc / 360) * 2 * Math.PI * radius) / spacing) * 0.92);
}

/** The next round number: 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function ringsOf(regions: readonly RegionTally[]): RegionTally[] {
  const sorted = regions.toSorted((a, b) => a.total - b.total || (a.region < b.region ? -1 : 1));
  if (sorted.length <= mostRings) return sorted;
  const rest = sorted.slice(0, sorted.length - mostRings + 1);
  const sum = (key: "total" | "online" | "degraded" | "offline"): number =>
    rest.reduce((all, one) => all + one[key], 0);
  const others: RegionTally = {
    region: `${rest.length} more`,
    total: sum("total"),
    online: sum("online"),
    degraded: sum("degraded"),
    offline: sum("offline"),
  };
  return [others, ...sorted.slice(rest.length)].toSorted((a, b) => a.total - b.total);
}

function dotsOf(region: RegionTally, radius: number, per: number): Dot[] {
  const at = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.round(count / per)));
  const [offline, degraded, online] = [at(region.offline), at(region.degraded), at(region.online)];
  const count = offline + degraded + online;
  const states = spreadStates(count, offline, degraded);
  const step = arc / count;
  return states.map((state, index) => {
    const angle = (180 + nameRoom + step * (index + 0.5)) % 360;
    return { ...polar(sky.width / 2, sky.height / 2, state === "ok" ? radius : radius + offRing, angle), state };
  });
}

/** Puts those that need a look evenly between the others, offline ones first. */
function spreadStates(count: number, offline: number, degraded: number): DotState[] {
  const states: DotState[] = Array.from({ length: count }, () => "ok");
  const bad = offline + degraded;
  for (let index = 0; index < bad; index += 1) {
    const place = Math.floor(((index + 0.5) * count) / bad);
    states[place] = isOneOf(index, bad, offline) ? "crit" : "warn";
  }
  return states;
}

/** Whether the `index`-th of `all` belongs to the `some` that are spread evenly among them. */
function isOneOf(index: number, all: number, some: number): boolean {
  return Math.floor(((index + 1) * some) / all) > Math.floor((index * some) / all);
}
