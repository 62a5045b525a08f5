/** How much may be held. */
export interface HoldingLimits {
  /** In all. */
  max: number;
  /** For an account: a workspace, or the network of a stranger. */
  maxOf(account: string): number;
}

/** Counts the bytes of requests and frames that are not whole yet: who begins many and ends none is never idle. */
export interface Holdings<T> {
  /** Notes what an owner holds now; false when that is more than there is room for. */
  note(owner: T, account: string, bytes: number): boolean;
  drop(owner: T): void;
  /** Bytes in all. */
  sum(): number;
}

/**
 * Nothing is held yet. When all hold too much together, the account goes that comes nearest to what it may: `removed` is told of each of
 * its owners who had to go, the newest first, so that accounts which hold all that they may keep nobody else out.
 */
export function createHoldings<T>({ max, maxOf }: HoldingLimits, removed: (owner: T) => void): Holdings<T> {
  const owners = new Map<T, { account: string; bytes: number }>();
  const accounts = new Map<string, number>();
  let sum = 0;

  function add(account: string, bytes: number): void {
    const next = (accounts.get(account) ?? 0) + bytes;
    if (next > 0) accounts.set(account, next);
    else accounts.delete(account);
    sum += bytes;
  }

  function drop(owner: T): void {
    const held = owners.get(owner);
    if (!held) return;
    owners.delete(owner);
    add(held.account, -held.bytes);
  }

  const shareOf = (account: string): number => (accounts.get(account) ?? 0) / maxOf(account);

  /** Makes room in other accounts; false where none comes nearer to its own than this one. */
  function makeRoom(account: string): boolean {
    const inOrder = [...accounts.keys()].map((each) => [each, shareOf(each)] as const).sort(([, a], [, b]) => b - a);
    const own = shareOf(account);
    for (const [fullest, share] of inOrder) {
      if (share <= own) return false;
      for (const [owner, held] of [...owners].reverse()) {
        if (held.account !== fullest) continue;
        drop(owner);
        removed(owner);
        if (sum <= max) return true;
      }
    }
    return false;
  }

  return {
    note(owner, account, bytes) {
      drop(owner);
      if (bytes === 0) return true;
      owners.set(owner, { account, bytes });
      add(account, bytes);
      if ((accounts.get(account) ?? 0) > maxOf(account)) return false;
      return sum <= max || makeRoom(account);
    },
    drop,
    sum: () => sum,
  };
}
