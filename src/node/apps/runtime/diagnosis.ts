import { accessSync, constants, existsSync } from "node:fs";
import type { RuntimeStatus } from "./contract.ts";
import { EngineError, unanswered } from "./engine-wire.ts";

/** What can be seen from outside about an engine that does not answer. */
export interface HostView {
  hasSocket: boolean;
  mayUseSocket: boolean;
  hasProgram: boolean;
  /** Nobody listens at the socket file: what an engine leaves behind that was removed, or that has just ended. */
  isRefused: boolean;
}

const blank = { version: null, api_version: null, driver: null };

/** Looks at the socket file and for the engine's program; `error` is what the last attempt to connect ended with. */
export function viewHost(socketPath: string, error?: unknown): HostView {
  const hasSocket = existsSync(socketPath);
  return {
    hasSocket,
    mayUseSocket: hasSocket && mayUse(socketPath),
    hasProgram: Bun.which("dockerd") !== null,
    isRefused: error instanceof EngineError && error.code === "ECONNREFUSED",
  };
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why an engine does not answer and what to do, in words for the screen. */
export function explainSilence(socketPath: string, host: HostView, reason: string): RuntimeStatus {
  if (!host.hasSocket && !host.hasProgram) {
    return {
      ...blank,
      state: "missing",
      message: "Docker is not installed, so apps cannot run here. Everything else works.",
      next_step: "Install it on the server with: apt-get install docker.io (Debian, Ubuntu) or dnf install docker.",
    };
  }
  if (!host.hasProgram && host.isRefused) {
    return {
      ...blank,
      state: "missing",
      message: `Docker is not here, so apps cannot run: nobody listens at ${socketPath}, and the program itself is not installed.`,
      next_step:
        "Install it on the server with: apt-get install docker.io (Debian, Ubuntu). Where Orrery runs in a container, start Docker on the server around it.",
    };
  }
  if (!host.hasSocket) {
    return {
      ...blank,
      state: "unreachable",
      message: `Docker is installed but not running: there is no socket at ${socketPath}.`,
      next_step: "Start it on the server with: systemctl start docker",
    };
  }
  if (!host.mayUseSocket) {
    return {
      ...blank,
      state: "unreachable",
      message: `Orrery may not use Docker's socket ${socketPath}.`,
      next_step: "Add its user to the docker group (usermod -aG docker USER) and restart Orrery.",
    };
  }
  return unanswered(reason);
}

/** The engine answers, but speaks a language that is too old. */
export function explainTooOld(version: string, apiVersion: string): RuntimeStatus {
  return {
    state: "too_old",
    version,
    api_version: apiVersion,
    driver: null,
    message: `Docker ${version} is too old: Orrery needs Docker 20.10 or newer.`,
    next_step: "Upgrade it on the server with: apt-get install --only-upgrade docker.io",
  };
}
