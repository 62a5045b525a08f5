import type { Effect, NodeState, Rollout, RolloutNode, Step, TimelineKind } from "./model.ts";

/** A rollout while a step is made of it. */
export interface Draft {
  /** As it is by now. */
  readonly now: Rollout;
  set(change: Partial<Rollout>): void;
  /** Puts a node into another state. */
  move(node: RolloutNode, state: NodeState, more?: Partial<RolloutNode>): void;
  change(node: RolloutNode, more: Partial<RolloutNode>): void;
  note(kind: TimelineKind, text: string): void;
  do(effect: Effect): void;
  /** How much of the rollout's own time this step took. */
  passed(): number;
  finish(): Step;
}

/** Begins a step. */
export function createDraft(before: Rollout): Draft {
  let rollout = before;
  let from = before.state;
  let nodes: RolloutNode[] | null = null;
  const effects: Effect[] = [];

  function change(node: RolloutNode, more: Partial<RolloutNode>): void {
    nodes ??= [...rollout.nodes];
    const latest = nodes[node.rank];
    if (latest?.id !== node.id) throw new Error(`node ${node.id} is not at rank ${node.rank}`);
    nodes[node.rank] = { ...latest, ...more };
    if (rollout.nodes !== nodes) rollout = { ...rollout, nodes };
  }

  return {
    get now() {
      return rollout;
    },
    set(more) {
      rollout = { ...rollout, ...more };
    },
    change,
    move: (node, state, more = {}) => change(node, { since_ms: rollout.watched_ms, ...more, state }),
    note(kind, text) {
      effects.push({ kind: "note", note: { kind, stage: rollout.stage, text, from, to: rollout.state } });
      from = rollout.state;
    },
    do: (effect) => void effects.push(effect),
    passed: () => rollout.watched_ms - before.watched_ms,
    finish: () => ({ rollout, effects }),
  };
}
