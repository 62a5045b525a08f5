/** Why work on an app ended badly, and what a person can do about it. */
export interface Failure {
  code: string;
  cause: string;
  next_step: string | null;
}

/** Ends the work on an app. */
export class AppFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.cause);
    this.name = "AppFailure";
    this.failure = failure;
  }
}

const MIB = 1_048_576;

/** Text for a container that ran out of memory; proposes twice the limit, as a multiple of 64 MB. */
export function explainOom(service: string, limitBytes: number): Failure {
  if (limitBytes === 0) {
    return {
      code: "out_of_memory",
      cause: `${service} was killed because the server ran out of memory.`,
      next_step: "Stop something else, or give the server more memory, then try again.",
    };
  }
  const limitMb = Math.round(limitBytes / MIB);
  const proposalMb = Math.ceil((limitMb * 2) / 64) * 64;
  return {
    code: "out_of_memory",
    cause: `${service} was killed because it used more than its memory limit of ${limitMb} MB.`,
    next_step: `Raise the memory limit of ${service} to ${proposalMb} MB and try again.`,
  };
}

const SIGNALS: Record<number, string> = {
  130: "SIGINT",
  134: "SIGABRT",
  137: "SIGKILL",
  139: "SIGSEGV",
  143: "SIGTERM",
};

/** Text for a container that ended by itself. */
export function explainExit(service: string, exitCode: number): Failure {
  const signal = SIGNALS[exitCode];
  const how =
    signal === undefined ? `ended with exit code ${exitCode}` : `was ended by ${signal} (exit code ${exitCode})`;
  return {
    code: "service_exited",
    cause: `${service} ${how}.`,
    next_step: "Its last log lines say why. Correct that, then try again.",
  };
}

const DISK_FULL = /no space left on device|disk quota exceeded/i;
const PORT_TAKEN = /port is already allocated|address already in use|failed to bind host port/i;
const NO_FOLDER = /bind source path does not exist: (\S+)/i;
const NAME_TAKEN = /container name .* is already in use/i;

/** Text for a port that somebody else has and that cannot be another one. */
export function explainFixedPort(port: number): Failure {
  return {
    code: "port_taken",
    cause: `Another program has port ${port} on this server, and this app can use no other.`,
    next_step: `Free the port (ss -lntup 'sport = :${port}' names the program), then try again.`,
  };
}

/** Turns what the engine said while containers were made or started into words; null when it is nothing known. */
export function explainEngine(message: string): Failure | null {
  if (DISK_FULL.test(message)) {
    return {
      code: "disk_full",
      cause: "The disk that Docker uses is full.",
      next_step: "Free some space (old images, logs, files), then try again.",
    };
  }
  if (PORT_TAKEN.test(message)) {
    const port = /(?:[\d.]+|\]):(\d+)/.exec(message)?.[1];
    return {
      code: "port_taken",
      cause: `Another program took ${port === undefined ? "a port of the app" : `port ${port}`} on this server.`,
      next_step: "Try again to get another port, or stop the other program first.",
    };
  }
  const missing = NO_FOLDER.exec(message)?.[1];
  if (missing !== undefined) {
    return {
      code: "host_path_missing",
      cause: `${missing} is not on this server, and a container of the app wants it.`,
      next_step: "Make that folder (or mount the disk it is on), then try again.",
    };
  }
  if (NAME_TAKEN.test(message)) {
    return {
      code: "container_name_taken",
      cause: "A container of that name exists that does not belong to this app.",
      next_step: "Remove that container, or install the app under another name.",
    };
  }
  return null;
}

/** Ports, digests and dates hold the same three digits, so these mean a status only where the text says so. */
const TOO_MANY_PULLS = /toomanyrequests|too many requests|rate limit|status(?: ?code)?:? 429\b/i;

/** What was said without addresses and names of images, which may contain any word and any number. */
function withoutNames(image: string, message: string): string {
  const [name = image] = image.split(/:|@/);
  const isName = (word: string): boolean => /[/@]|sha256:/.test(word) || word.replace(/[:,].*$/, "") === name;
  return message
    .split(/\s+/)
    .filter((word) => !isName(word))
    .join(" ");
}

/** Turns what a registry said into words. */
export function explainPull(reference: string, message: string): Failure {
  const known = explainEngine(message);
  if (known) return known;
  const said = withoutNames(reference, message);
  // Its name and tag tell it apart for people; the digest after them only fills the line.
  const image = reference.replace(/(:[\w.-]+)@sha256:[a-f0-9]{64}$/, "$1");
  if (message.endsWith("which is not called")) {
    return {
      code: "registry_refused",
      cause: `${image} was not pulled: ${message}.`,
      next_step: "Name an image of another registry, or set another mirror under Settings.",
    };
  }
  if (message.endsWith("which is not kept")) {
    return {
      code: "image_overlong",
      cause: `${image} was pulled and removed again: ${message}.`,
      next_step: "Choose another version of it, or ask whoever makes it for one with shorter labels.",
    };
  }
  if (/the registry sent less than \d+ KB in \d+ minutes$/.test(message)) {
    return {
      code: "registry_too_slow",
      cause: `${image} was not pulled: ${message}.`,
      next_step: "Try again later, check the server's network, or set a registry mirror under Settings.",
    };
  }
  if (/other downloads went before it for \d+ minutes$/.test(message)) {
    return {
      code: "pull_failed",
      cause: `${image} was not pulled: ${message}.`,
      next_step: "Cancel the pulls that take so long, or try again once they are through.",
    };
  }
  if (TOO_MANY_PULLS.test(said)) {
    return {
      code: "registry_rate_limit",
      cause: `The registry refused ${image}: too many pulls from this address.`,
      next_step: "Wait an hour, or add a login for that registry under Containers, Images, then try again.",
    };
  }
  if (/no matching manifest for/i.test(said)) {
    return {
      code: "image_wrong_arch",
      cause: `${image} does not exist for this server's processor.`,
      next_step: "This app cannot run here. Uninstall it.",
    };
  }
  if (/unauthorized|authentication required|no basic auth|denied/i.test(said)) {
    return {
      code: "image_forbidden",
      cause: `The registry does not give ${image} to everybody: it does not exist, or it needs a login.`,
      next_step: "Add a login for that registry under Containers, Images, then try again.",
    };
  }
  if (/not found|manifest unknown|name unknown/i.test(said)) {
    return {
      code: "image_not_found",
      cause: `The registry does not have ${image}.`,
      next_step: "The image was removed or renamed. Try again later, or choose another version of the app.",
    };
  }
  if (/no such host|dial tcp|timeout|connection refused|network is unreachable|TLS|EOF|reset by peer/i.test(said)) {
    return {
      code: "registry_unreachable",
      cause: `The registry of ${image} cannot be reached from this server.`,
      next_step:
        "Check the server's network and name resolution, or set a registry mirror under Settings, then try again.",
    };
  }
  return { code: "pull_failed", cause: `${image} could not be pulled: ${message.trim()}`, next_step: "Try again." };
}

/** Any error as a failure; its own text only when it came from the engine, which speaks to people. */
export function toFailure(error: unknown): Failure {
  if (error instanceof AppFailure) return error.failure;
  const message = error instanceof Error ? error.message.trim() : String(error);
  const known = explainEngine(message);
  return known ?? { code: "app_failed", cause: message, next_step: "Try again. The node's log has the details." };
}
