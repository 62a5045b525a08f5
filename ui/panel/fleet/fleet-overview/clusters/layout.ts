import type { ClusterLink, ClusterNode } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { polar } from "../../../../kit/orbit-layout.ts";
import { hasVote } from "./words.ts";

/** The picture in its own units. */
export const picture = { width: 560, height: 400, inner: 82, outer: 158 } as const;

const mostNames = 16;

/** A member and where it stands. */
export interface Place {
  node: ClusterNode;
  x: number;
  y: number;
  /** Where its name goes. */
  anchor: "start" | "middle" | "end";
  isNamed: boolean;
}

/** A link and the two ends of its line. */
export interface Line {
  link: ClusterLink;
  from: Place;
  to: Place;
}

export interface ClusterPicture {
  places: Place[];
  lines: Line[];
  /** Radii of the rings that have members on them. */
  rings: number[];
}

/**
 * Who leads stands in the middle, those who have a vote around it, those who only work outside. Each ring begins a little beside
 * the top, so that no line runs through a member of the ring within.
 */
export function pictureOf(
  nodes: readonly ClusterNode[],
  links: readonly ClusterLink[],
  leader: string | null,
): ClusterPicture {
  const [cx, cy] = [picture.width / 2, picture.height / 2];
  const isNamed = nodes.length <= mostNames;
  const middle = nodes.filter(({ key }) => key === leader).slice(0, 1);
  const rest = nodes.filter((node) => !middle.includes(node));
  const voters = rest.filter(hasVote);
  const workers = rest.filter((node) => !hasVote(node));
  const onRing = (members: readonly ClusterNode[], radius: number, turn: number): Place[] =>
    members.map((node, index) => {
      const degrees = turn + (360 * index) / members.length;
      const { x, y } = polar(cx, cy, radius, degrees);
      return { node, x, y, anchor: anchorOf(x - cx), isNamed };
    });
  const inner = onRing(voters, picture.inner, voters.length === 2 ? 90 : 30);
  const outer = onRing(workers, picture.outer, 60);
  const places: Place[] = [
    ...middle.map((node) => ({ node, x: cx, y: cy, anchor: "middle" as const, isNamed: true })),
    ...inner,
    ...outer,
  ];
  const byKey = new Map(places.map((place) => [place.node.key, place]));
  const lines = links.flatMap((link) => {
    const [from, to] = [byKey.get(link.from), byKey.get(link.to)];
    return from === undefined || to === undefined ? [] : [{ link, from, to }];
  });
  const rings: number[] = [
    ...(voters.length > 0 ? [picture.inner] : []),
    ...(workers.length > 0 ? [picture.outer] : []),
  ];
  return { places, lines, rings };
}

function anchorOf(offset: number): Place["anchor"] {
  if (Math.abs(offset) < 24) return "middle";
  return offset < 0 ? "end" : "start";
}
