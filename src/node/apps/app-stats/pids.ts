/** As much of Docker as it takes; none while it does not answer. */
export interface Processes {
  runtime: {
    engine(): { inspectContainer(id: string): Promise<{ State: { Pid: number } } | null> } | null;
  };
}

/** Finds the first process of containers; asks Docker once for each start. */
export interface PidFinder {
  /** Null when the container does not run or Docker does not answer. */
  find(container: string, startedAt: string | null): Promise<number | null>;
  /** What was known about it turned out to be wrong. */
  forget(container: string): void;
}

export function createPidFinder({ runtime }: Processes): PidFinder {
  const pids = new Map<string, { startedAt: string | null; pid: number }>();
  return {
    async find(container, startedAt) {
      const known = pids.get(container);
      if (known && known.startedAt === startedAt) return known.pid;
      const info = await runtime.engine()?.inspectContainer(container);
      const pid = info?.State.Pid ?? 0;
      if (pid <= 0) return null;
      pids.set(container, { startedAt, pid });
      return pid;
    },
    forget: (container) => void pids.delete(container),
  };
}
