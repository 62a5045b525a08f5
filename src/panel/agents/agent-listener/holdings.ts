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

/** Nothing is held yet. */
export function createHoldings<T>({ max, maxOf }: HoldingLimits): Holdings<T> {
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

  return {
    note(owner, account, bytes) {
      drop(owner);
      if (bytes === 0) return true;
      owners.set(owner, { account, bytes });
      add(account, bytes);
      return sum <= max && (accounts.get(account) ?? 0) <= maxOf(account);
    },
    drop,
    sum: () => sum,
  };
}
