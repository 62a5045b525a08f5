/** What is said to a program on a terminal: what is typed, or how large the terminal is now. */
export type TalkInput = { bytes: Uint8Array } | { columns: number; rows: number };

/** The way between whoever asked for a terminal and the program on it. */
export interface HostTalk {
  /** In order; taking one lets whoever asked send more. Ends when they are gone. */
  readonly input: AsyncIterable<TalkInput>;
  /** The program runs. */
  opened(): void;
  /** What the program says; resolves when there is room for more, or nobody is there any more. */
  output(bytes: Uint8Array): Promise<void>;
}

/** How a verb that changes the server tells what it does, and learns that nobody waits for it any more. */
export interface HostWork {
  onLine(line: string): void;
  /** Ends the waiting before the change; the change itself is carried out to its end. A terminal ends with it at once. */
  signal?: AbortSignal;
  /** For verbs that talk. */
  talk?: HostTalk;
}
