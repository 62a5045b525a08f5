import { sha256Hex } from "../../../lib/digest.ts";

/** What of a node decides its place in a rollout. */
export interface Placed {
  id: string;
  rank: number;
  /** Stage that it comes with, from 0. */
  stage: number;
}

/** How many nodes each stage has reached when it is through; at least one, and never fewer than the stage before. */
export const stageTargets = (stages: readonly number[], nodes: number): number[] =>
  stages.map((percent, index) =>
    index === stages.length - 1 ? nodes : Math.min(nodes, Math.max(1, Math.ceil((percent * nodes) / 100))),
  );

/**
 * The order of nodes and the stage of each: by a hash of the id, so that it is the same in every rollout, whatever nodes come and
 * go; another seed gives another order, so that not always the same ones go first.
 */
export function placeNodes(ids: readonly string[], stages: readonly number[], seed: string): Placed[] {
  const hashed = ids.map((id) => ({ id, hash: sha256Hex(seed === "" ? id : `${seed}\n${id}`) }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.id < b.id ? -1 : 1));
  const targets = stageTargets(stages, ids.length);
  return hashed.map(({ id }, rank) => ({ id, rank, stage: targets.findIndex((target) => rank < target) }));
}
