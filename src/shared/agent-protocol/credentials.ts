/** What a node holds: what it uses, and what it renewed to until that was seen to work. */
export interface Credentials<T> {
  current: T;
  /** Tried first; the panel may have replaced it by one whose answer was lost. */
  pending: T | null;
}

/** The credential of the next call. */
export const credentialInUse = <T>({ current, pending }: Credentials<T>): T => pending ?? current;

/** After a renewal: the former one is kept until the fresh one has been accepted. */
export const receiveCredential = <T>({ current }: Credentials<T>, fresh: T): Credentials<T> => ({
  current,
  pending: fresh,
});

/** After a call that the panel accepted. */
export const confirmCredential = <T>(held: Credentials<T>): Credentials<T> => ({
  current: credentialInUse(held),
  pending: null,
});

/** After a refusal of the certificate: back to the former one; null when there is none, and a new token is needed. */
export const refuseCredential = <T>({ current, pending }: Credentials<T>): Credentials<T> | null =>
  pending === null ? null : { current, pending: null };
