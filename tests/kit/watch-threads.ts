/** Threads that are started from here on, so that a test can end one as if it had died. */
export interface WatchedThreads {
  /** Ends the newest one whose program has that name, and waits until its owner has heard of it, as it would of any death. */
  kill(name: string): Promise<void>;
  /** How many with that name were started. */
  count(name: string): number;
  /** Watches no more. */
  stop(): void;
}

export function watchThreads(): WatchedThreads {
  const Usual = globalThis.Worker;
  const started: { program: string; worker: Worker }[] = [];
  globalThis.Worker = class extends Usual {
    constructor(...[program, options]: ConstructorParameters<typeof Worker>) {
      super(program, options);
      started.push({ program: String(program), worker: this });
    }
  };
  return {
    async kill(name) {
      const found = started.findLast(({ program }) => program.includes(name));
      if (found === undefined) throw new Error(`no thread ${name} was started`);
      const heard = new Promise((resolve) => found.worker.addEventListener("close", resolve, { once: true }));
      found.worker.terminate();
      await heard;
    },
    count: (name) => started.filter(({ program }) => program.includes(name)).length,
    stop() {
      globalThis.Worker = Usual;
    },
  };
}
