/** A look into the tables that is under way, for what is known of one node. */
export interface Reading {
  /** True when memory learnt something else about the node meanwhile: what was read may be older than that. */
  isStale(): boolean;
  end(): void;
}

/** Who reads what, at this moment. */
export interface Readings {
  begin(nodeId: string): Reading;
  /** Memory learnt something about a node. */
  learnt(nodeId: string): void;
}

/** Nobody reads yet. */
export function createReadings(): Readings {
  const underWay = new Map<string, Set<{ isStale: boolean }>>();
  return {
    begin(nodeId) {
      const own = { isStale: false };
      const others = underWay.get(nodeId) ?? new Set();
      underWay.set(nodeId, others.add(own));
      return {
        isStale: () => own.isStale,
        end() {
          others.delete(own);
          if (others.size === 0 && underWay.get(nodeId) === others) underWay.delete(nodeId);
        },
      };
    },
    learnt(nodeId) {
      for (const one of underWay.get(nodeId) ?? []) one.isStale = true;
    },
  };
}
