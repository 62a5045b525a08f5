import type { Attach, Attachment } from "../attach.ts";
import { orNull, type Wire } from "../engine-wire.ts";

/** What is to run in a container on a terminal of its own. */
export interface TerminalSpec {
  argv: readonly string[];
  /** Null: the container's own. */
  user: string | null;
  environment: Readonly<Record<string, string>>;
}

interface TerminalSize {
  columns: number;
  rows: number;
}

/** Verbs about terminals in containers. */
export function terminalVerbs(wire: Wire, attach: Attach) {
  return {
    /** Prepares a program on a terminal and returns its id; nothing runs yet. Throws EngineError. */
    async prepareTerminal(containerId: string, { argv, user, environment }: TerminalSpec): Promise<string> {
      const body = {
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
        Cmd: argv,
        Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
        ...(user === null ? {} : { User: user }),
      };
      const path = `/containers/${encodeURIComponent(containerId)}/exec`;
      return (await wire.call<{ Id: string }>("POST", path, { body })).Id;
    },

    /** Starts it. Throws EngineError. */
    openTerminal: (id: string, signal: AbortSignal): Promise<Attachment> =>
      attach(`/exec/${id}/start`, { Detach: false, Tty: true }, signal),

    resizeTerminal: (id: string, { columns, rows }: TerminalSize) =>
      wire.call<unknown>("POST", `/exec/${id}/resize`, { query: { h: rows, w: columns }, timeoutMs: 10_000 }),

    /** With what its program ended; null when it runs, or its container is gone. */
    async readTerminalEnd(id: string): Promise<number | null> {
      const path = `/exec/${id}/json`;
      const end = await orNull(
        wire.call<{ Running: boolean; ExitCode: number | null }>("GET", path, { timeoutMs: 10_000 }),
      );
      return end === null || end.Running ? null : end.ExitCode;
    },
  };
}
