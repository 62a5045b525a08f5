import { join } from "node:path";
import type { Socket } from "bun";
import { makeScratch } from "./scratch.ts";

/** The far end of a terminal: what the program in the container would see and say. */
export interface FarEnd {
  /** What was typed so far. */
  typed(): string;
  /** Writes as much as is taken, and the rest as there is room; resolves when all is. */
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes that were taken so far. */
  taken(): number;
  /** True while it has more to say than is taken. */
  isBlocked(): boolean;
  end(exitCode: number): void;
}

/** An engine with one container `web`, whose terminals a test plays. */
export interface TerminalEngine {
  socket: string;
  /** What was asked of it: `POST /containers/web/exec {…}`. */
  asked: { line: string; body: string }[];
  /** Terminals in the order in which they were opened. */
  ends: FarEnd[];
  /** Whether the container runs, and which shell it says it has; null for none. */
  state: { running: boolean; shell: string | null; refusal?: string };
  stop(): void;
}

interface Kept {
  text: string;
  far: (FarEnd & { drain(): void }) | null;
  typed: string;
}

const ID = "c".repeat(64);

const answer = (status: number, body: unknown): string => {
  const json = JSON.stringify(body);
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\nconnection: close\r\n\r\n${json}`;
};

function createFarEnd(socket: Socket<Kept>, onEnd: (exitCode: number) => void): FarEnd & { drain(): void } {
  let taken = 0;
  let rest: Uint8Array = new Uint8Array(0);
  let done = () => {};
  const push = () => {
    while (rest.byteLength > 0) {
      const count = socket.write(rest.subarray(0, 65_536));
      if (count <= 0) return;
      taken += count;
      rest = rest.subarray(count);
    }
    done();
  };
  return {
    typed: () => socket.data.typed,
    write(bytes) {
      rest = bytes;
      return new Promise((resolve) => {
        done = resolve;
        push();
      });
    },
    taken: () => taken,
    isBlocked: () => rest.byteLength > 0,
    end(exitCode) {
      onEnd(exitCode);
      socket.end();
    },
    drain: push,
  };
}

/** Starts one; call `stop` in the end. */
export function startTerminalEngine(): TerminalEngine {
  const path = join(makeScratch("terminal-engine"), "docker.sock");
  const asked: TerminalEngine["asked"] = [];
  const ends: FarEnd[] = [];
  const state: TerminalEngine["state"] = { running: true, shell: "bash" };
  const execs = new Map<string, { isTerminal: boolean; exitCode: number | null }>();

  function reply(socket: Socket<Kept>, line: string, body: string): undefined {
    asked.push({ line, body });
    const [, route = ""] = /^\w+ (?:\/v[\d.]+)?([^ ?]*)/.exec(line) ?? [];
    const [, execId = ""] = /^\/exec\/(\w+)/.exec(route) ?? [];
    const exec = execs.get(execId);
    const say = (status: number, value: unknown): undefined => {
      socket.end(answer(status, value));
    };
    if (route === "/version") return say(200, { Version: "28.0.1", ApiVersion: "1.48", MinAPIVersion: "1.24" });
    if (route === "/info")
      return say(200, { Driver: "overlay2", DockerRootDir: "/d", Architecture: "x86_64", NCPU: 1, CgroupVersion: "2" });
    if (route === "/events") {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n\n\r\n");
      return;
    }
    if (["/containers/json", "/networks", "/images/json"].includes(route)) return say(200, []);
    if (route === "/volumes") return say(200, { Volumes: [] });
    if (/^\/containers\/(web|c{64})\/json$/.test(route)) {
      const State = { Running: state.running, Status: state.running ? "running" : "exited" };
      return say(200, { Id: ID, Name: "/web", State, Config: { Labels: {}, Image: "web" } });
    }
    if (route === `/containers/${ID}/exec`) {
      if (state.refusal !== undefined) return say(409, { message: state.refusal });
      const id = `e${execs.size}`;
      execs.set(id, { isTerminal: JSON.parse(body).Tty === true, exitCode: null });
      return say(201, { Id: id });
    }
    if (exec && route.endsWith("/start") && exec.isTerminal) {
      socket.write("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
      const far = createFarEnd(socket, (exitCode) => {
        exec.exitCode = exitCode;
      });
      socket.data.far = far;
      ends.push(far);
      return;
    }
    if (exec && route.endsWith("/start")) {
      exec.exitCode = state.shell === null ? 127 : 0;
      const text = state.shell === null ? "exec: sh: not found" : `${state.shell}\n`;
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${text.length + 8}\r\nconnection: close\r\n\r\n`;
      const frame = String.fromCharCode(1, 0, 0, 0, 0, 0, 0, text.length);
      socket.end(`${head}${frame}${text}`);
      return;
    }
    if (exec && route.endsWith("/json")) return say(200, { Running: exec.exitCode === null, ExitCode: exec.exitCode });
    if (exec && route.endsWith("/resize")) return say(200, {});
    say(404, { message: `No such container: ${route}` });
  }

  const listener = Bun.listen<Kept>({
    unix: path,
    socket: {
      open(socket) {
        socket.data = { text: "", far: null, typed: "" };
      },
      data(socket, bytes) {
        const kept = socket.data;
        if (kept.far) {
          kept.typed += bytes.toString();
          return;
        }
        kept.text += bytes.toString();
        const end = kept.text.indexOf("\r\n\r\n");
        const length = Number(/content-length: (\d+)/i.exec(kept.text)?.[1] ?? 0);
        if (end === -1 || kept.text.length < end + 4 + length) return;
        reply(socket, kept.text.slice(0, kept.text.indexOf(" HTTP/1.1")), kept.text.slice(end + 4));
      },
      drain: (socket) => socket.data.far?.drain(),
    },
  });
  return { socket: path, asked, ends, state, stop: () => listener.stop(true) };
}
