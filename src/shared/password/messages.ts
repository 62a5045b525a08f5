/** What the hashing thread is asked: to hash a password, or to compare it with the hash of one. */
export interface HashQuestion {
  password: string;
  hash: string | null;
}

export interface HashAnswer {
  /** The hash that was made or compared with. */
  hash: string;
  /** Whether the password belongs to it. */
  matches: boolean;
}

/** About 19 MB and 2 passes, the OWASP minimum that a small server still answers quickly with. */
export const ARGON = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
