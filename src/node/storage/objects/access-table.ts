import * as store from "./key-store.ts";
import type { Needs } from "./needs.ts";

/** What a key may do with one bucket. */
export interface Rights {
  read: boolean;
  write: boolean;
  owner: boolean;
}

/** An access key as requests are checked with it. */
export interface KnownKey {
  accessKey: string;
  name: string;
  secret: string;
  /** By id of the bucket. */
  rights: ReadonlyMap<string, Rights>;
}

/** The keys in memory, so that no request has to open a seal. */
export interface AccessTable {
  find(accessKey: string): KnownKey | null;
  /** How many keys there are. */
  count(): number;
  /** Keys or grants are others than before. */
  forget(): void;
  /** Calls `listener` each time that they are, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Purpose under which the secret of a key is sealed. */
export const sealPurpose = (accessKey: string): string => `object-key:${accessKey}`;

/** The access keys of this node; one that was sealed under another key is said and left out. */
export function createAccessTable({ db, seal, log }: Pick<Needs, "db" | "seal" | "log">): AccessTable {
  const listeners = new Set<() => void>();
  let known: Map<string, KnownKey> | null = null;

  function load(): Map<string, KnownKey> {
    const grants = Map.groupBy(store.listGrants(db), ({ access_key }) => access_key);
    const keys = new Map<string, KnownKey>();
    for (const { access_key, name, secret } of store.listKeys(db)) {
      const rights = (grants.get(access_key) ?? []).map(
        ({ bucket_id, may_read, may_write, is_owner }) =>
          [bucket_id, { read: may_read === 1, write: may_write === 1, owner: is_owner === 1 }] as const,
      );
      try {
        const opened = seal.open(sealPurpose(access_key), secret);
        keys.set(access_key, { accessKey: access_key, name, secret: opened, rights: new Map(rights) });
      } catch (error) {
        log.error("the secret of an access key does not open", { access_key, error });
      }
    }
    return keys;
  }

  const table = (): Map<string, KnownKey> => {
    known ??= load();
    return known;
  };
  return {
    find: (accessKey) => table().get(accessKey) ?? null,
    count: () => table().size,
    forget() {
      known = null;
      for (const listener of [...listeners]) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
