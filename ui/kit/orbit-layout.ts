import { hash } from "./hash.ts";
import type { State } from "./status.tsx";

/** One thing in orbit: an app, later a node. */
export interface Body {
  id: string;
  name: string;
  /** Kind; each kind has a ring. */
  ring: string;
  /** Memory in GB; sets the size. 0 when not known. */
  memory: number;
  /** Processor in percent of one core; sets the tail. 0 when not known. */
  processor: number;
  state: State;
  href?: string;
}

/** Sizes of an orrery in its own units. */
export interface OrbitSize {
  width: number;
  height: number;
  first: number;
  gap: number;
}

type Anchor = "start" | "middle" | "end";

export interface PlacedBody extends Body {
  x: number;
  y: number;
  /** Its place on the ring; bodies that need attention are drawn outside of it. */
  home: { x: number; y: number };
  radius: number;
  ringRadius: number;
  /** Degrees, clockwise from the top. */
  angle: number;
  /** Degrees to the next body behind it on the ring. */
  room: number;
  label: { x: number; y: number; anchor: Anchor; hidden: boolean };
}

export interface PlacedRing {
  name: string;
  radius: number;
  bodies: PlacedBody[];
}

/** At most this many rings; the smallest kinds share the last one. */
export const maxRings = 4;
const offRing = 19;
const minGapDegrees = 13;

/**
 * Places bodies: ring by kind (largest kind inside), angle from the id so that it is the same each day, then moved apart
 * where two would touch. `unit` is the size of a screen pixel in the picture; text keeps its size on the screen.
 */
export function placeBodies(bodies: Body[], size: OrbitSize, unit = 1): PlacedRing[] {
  const rings = ringsOf(bodies).map(({ name, members }, index) => {
    const radius = size.first + index * size.gap;
    const shy = nameArc(name, radius, unit);
    const angles = spread(
      members.map((body) => [body.id, startAngle(body.id, shy)]),
      radius,
      shy,
    );
    const placed = members.map((body) => {
      const angle = angles.get(body.id) ?? 0;
      const behind = [...angles.values()]
        .filter((other) => other !== angle)
        .map((other) => (angle - other + 360) % 360);
      return placeBody(body, radius, angle, Math.min(360, ...behind), size);
    });
    return { name, radius, bodies: placed };
  });
  const all = rings.flatMap((ring) => ring.bodies);
  const taken: Box[] = [...all.map(dotBox), ...rings.map((ring) => nameBox(ring, size, unit)), coreBox(size)];
  // Those that need attention choose their label's place first.
  all.sort((a, b) => Number(needsAttention(b.state)) - Number(needsAttention(a.state)));
  for (const body of all) body.label = claim(body, taken, size, unit);
  return rings;
}

/** Where a body may be at any moment: the rings drift by 2.5 degrees to both sides. */
function dotBox({ id, x, y, radius, ringRadius }: PlacedBody): Box {
  const half = radius + ringRadius * 0.044;
  return { owner: id, left: x - half, right: x + half, top: y - half, bottom: y + half };
}

function coreBox({ width, height, first }: OrbitSize): Box {
  const [x, y, half] = [width / 2, height / 2, first * 0.4];
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

/** Half the width of a ring's name. */
const halfName = (name: string, unit: number): number => name.length * 3.3 * unit;

/** Degrees to both sides of the bottom of a ring that belong to its name: no body is drawn there. */
function nameArc(name: string, radius: number, unit: number): number {
  const reach = (halfName(name, unit) + 16) / radius;
  return Math.max(20, reach >= 0.94 ? 70 : (Math.asin(reach) * 180) / Math.PI);
}

function nameBox(ring: PlacedRing, size: OrbitSize, unit: number): Box {
  const half = halfName(ring.name, unit);
  const y = size.height / 2 + ring.radius;
  return { left: size.width / 2 - half, right: size.width / 2 + half, top: y - 9 * unit, bottom: y + 9 * unit };
}

/** States that make a body leave its ring. */
export function needsAttention(state: State): boolean {
  return state === "crit" || state === "warn";
}

function ringsOf(bodies: Body[]): { name: string; members: Body[] }[] {
  const kinds = new Map<string, Body[]>();
  for (const body of bodies) kinds.set(body.ring, [...(kinds.get(body.ring) ?? []), body]);
  const sorted = [...kinds].map(([name, members]) => ({
    name,
    members: members.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }));
  sorted.sort((a, b) => a.members.length - b.members.length || (a.name < b.name ? -1 : 1));
  if (sorted.length <= maxRings) return sorted;
  const small = sorted.slice(0, sorted.length - maxRings + 1);
  return [
    ...sorted.slice(sorted.length - maxRings + 1),
    { name: "Other", members: small.flatMap((kind) => kind.members) },
  ];
}

// The lowest part of each ring is kept free for its name; bodies share the rest.
function startAngle(id: string, shy: number): number {
  return (180 + shy + ((hash(id) % 3200) / 3200) * (360 - 2 * shy)) % 360;
}

/** Moves angles apart until neighbours have room, keeping their order. */
function spread(angles: [id: string, angle: number][], radius: number, shy: number): Map<string, number> {
  const [begin, arc] = [180 + shy, 360 - 2 * shy];
  const room = Math.min(Math.max(minGapDegrees, 1900 / radius), arc / Math.max(1, angles.length));
  const list = angles.map(([id, angle]) => ({ id, at: (angle - begin + 360) % 360 })).sort((a, b) => a.at - b.at);
  for (const [index, item] of list.entries()) {
    const before = list[index - 1];
    if (before !== undefined) item.at = Math.max(item.at, before.at + room);
  }
  let limit = arc;
  for (const item of list.toReversed()) {
    item.at = Math.min(item.at, limit);
    limit = item.at - room;
  }
  return new Map(list.map((item) => [item.id, (item.at + begin) % 360]));
}

function placeBody(body: Body, ringRadius: number, angle: number, room: number, size: OrbitSize): PlacedBody {
  const point = (radius: number): { x: number; y: number } => polar(size.width / 2, size.height / 2, radius, angle);
  const home = point(ringRadius);
  const at = needsAttention(body.state) ? point(ringRadius + offRing) : home;
  const radius = 4 + 5 * Math.sqrt(Math.min(6, Math.max(0.1, body.memory)));
  const right = at.x >= size.width / 2;
  const anchor: Anchor = right ? "start" : "end";
  const label = { x: at.x + (right ? 1 : -1) * (radius + 7), y: at.y + 4, anchor, hidden: false };
  return { ...body, ...at, home, radius, ringRadius, angle, room, label };
}

export interface Box {
  /** The body it belongs to, whose own label may be close. */
  owner?: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The box of a body's label at one place. */
export function labelBox(body: Pick<PlacedBody, "name" | "label">, unit: number): Box {
  const width = body.name.length * 6.6 * unit;
  const { x, y, anchor } = body.label;
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  return { left, right: left + width, top: y - 13 * unit, bottom: y + 5 * unit };
}

/**
 * Finds a free place for a label: beside the body, then above and below it. It is hidden when it would cover something or leave
 * the picture everywhere; then it stands at the first place while the pointer is on the body.
 */
function claim(body: PlacedBody, taken: Box[], size: OrbitSize, unit: number): PlacedBody["label"] {
  const candidates = places(body, unit);
  for (const place of candidates) {
    const box = labelBox({ name: body.name, label: place }, unit);
    const clash = taken.some((other) => other.owner !== body.id && overlaps(box, other));
    const outside = box.left < -24 || box.right > size.width + 24 || box.top < 0 || box.bottom > size.height;
    if (clash || outside) continue;
    taken.push(box);
    return place;
  }
  return { ...(candidates[0] ?? body.label), hidden: true };
}

function places({ x, y, radius, label, state }: PlacedBody, unit: number): PlacedBody["label"][] {
  const beside = (anchor: "start" | "end", rise: number) => {
    const away = (anchor === "start" ? 1 : -1) * (radius + 7);
    return { x: x + away, y: y + 4 * unit + rise, anchor, hidden: false };
  };
  const other = label.anchor === "start" ? "end" : "start";
  const own = label.anchor === "start" ? "start" : "end";
  const level = (rise: number) => ({ x, y: y + rise, anchor: "middle" as const, hidden: false });
  // The label of a body that needs attention may stand farther from it.
  const rises = needsAttention(state) ? [8, -8, 15, -15, 22, -22, 30, -30] : [8, -8, 15, -15];
  const slopes = rises.flatMap((rise) => [beside(own, rise * unit), beside(other, rise * unit)]);
  return [beside(own, 0), beside(other, 0), level(-radius - 6), level(radius + 15 * unit), ...slopes];
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** A point on a circle; 0° is the top, clockwise. */
export function polar(cx: number, cy: number, radius: number, degrees: number): { x: number; y: number } {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return { x: round(cx + radius * Math.cos(angle)), y: round(cy + radius * Math.sin(angle)) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The arc behind a body: 2.6° for each percent of processor, at most 90° and never as far as the next body. */
export function tailPath(body: PlacedBody, size: OrbitSize): string | null {
  const length = Math.min(90, body.processor * 2.6, body.room - 12);
  if (length < 2 || needsAttention(body.state)) return null;
  const gap = ((body.radius + 5) / body.ringRadius) * (180 / Math.PI);
  const from = polar(size.width / 2, size.height / 2, body.ringRadius, body.angle - gap);
  const to = polar(size.width / 2, size.height / 2, body.ringRadius, body.angle - gap - length);
  return `M${from.x} ${from.y}A${body.ringRadius} ${body.ringRadius} 0 0 0 ${to.x} ${to.y}`;
}

/** Tick marks around the rings: 72 of 20 minutes, a longer one at each quarter. */
export function dialPath(size: OrbitSize, radius: number, quarters: boolean): string {
  const parts: string[] = [];
  for (let index = 0; index < 72; index += 1) {
    if ((index % 18 === 0) !== quarters) continue;
    const from = polar(size.width / 2, size.height / 2, radius, index * 5);
    const to = polar(size.width / 2, size.height / 2, radius + (quarters ? 7 : 4), index * 5);
    parts.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
  }
  return parts.join("");
}
