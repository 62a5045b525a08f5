/** How a verb that changes the server tells what it does, and learns that nobody waits for it any more. */
export interface HostWork {
  onLine(line: string): void;
  /** Ends the waiting before the change; the change itself is carried out to its end. */
  signal?: AbortSignal;
}
