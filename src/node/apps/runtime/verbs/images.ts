import { AppError } from "../../../../kernel/http/errors.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import { readLines } from "../../../../lib/lines.ts";
import { EngineError, orNull, settled, type Wire } from "../engine-wire.ts";
import { refuseForbiddenRegistry } from "../registry-host.ts";
import type { CheckConfig } from "./containers.ts";

/** What a registry asks for. */
export interface RegistryLogin {
  registry: string;
  username: string;
  password: string;
}

/** One line of a pull. */
export interface PullLine {
  id?: string;
  status?: string;
  progressDetail?: { current?: number; total?: number };
  error?: string;
}

export interface ImageInfo {
  Id: string;
  Architecture: string;
  RepoTags: string[] | null;
  RepoDigests: string[] | null;
  /** What containers of it have unless they say otherwise. */
  Config?: {
    Env?: string[] | null;
    Cmd?: string[] | null;
    Entrypoint?: string[] | null;
    User?: string;
    WorkingDir?: string;
    Labels?: Record<string, string> | null;
    StopSignal?: string;
    Healthcheck?: CheckConfig | null;
  };
}

/** One line of the image list. */
export interface ImageSummary {
  Id: string;
  RepoTags: string[] | null;
  RepoDigests: string[] | null;
  /** Seconds since 1970: when it was built. */
  Created: number;
  Size: number;
}

export interface PullOptions {
  login: RegistryLogin | null;
  onLine(line: PullLine): void;
  signal?: AbortSignal;
}

function authHeader(login: RegistryLogin | null): Record<string, string> {
  if (!login) return {};
  const { registry, username, password } = login;
  const json = JSON.stringify({ username, password, serveraddress: registry });
  // Padded URL alphabet: what the engine's decoder reads.
  const base64 = Buffer.from(json).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  return { "X-Registry-Auth": base64 };
}

/** Bytes of what an image says of its containers; each list of the engine has all of it, for as long as the image is here. */
const MOST_CONFIG = 65_536;

const isPullLine = (line: unknown): line is PullLine => isRecord(line);

/** Verbs about images. */
export function imageVerbs(wire: Wire) {
  const path = (reference: string) => `/images/${encodeURIComponent(reference)}`;
  const findImage = (reference: string) =>
    orNull(wire.call<ImageInfo>("GET", `${path(reference)}/json`, { timeoutMs: 30_000 }));
  const removeImage = (reference: string) => wire.call<unknown>("DELETE", path(reference));

  /** Whether an image says so much of its containers that all lists would suffer. */
  async function isOverlong(reference: string): Promise<boolean> {
    try {
      const config = (await findImage(reference))?.Config ?? {};
      return Buffer.byteLength(JSON.stringify(config)) > MOST_CONFIG;
    } catch (error) {
      if (error instanceof AppError) return true;
      throw error;
    }
  }

  /** Throws EngineError for an image with labels of any length, and takes it away again unless containers are made of it already. */
  async function refuseOverlong(reference: string): Promise<void> {
    if (!(await isOverlong(reference))) return;
    await settled(removeImage(reference), [404, 409]);
    throw new EngineError(422, "its labels and settings are longer than 64 KiB, which is not kept");
  }

  return {
    /** The local image of a reference, null when it is not here. */
    findImage,

    /** Every image that has a name or that nothing else is built on. */
    listImages: () => wire.call<readonly ImageSummary[]>("GET", "/images/json", { timeoutMs: 30_000 }),
    /** Takes a name from an image, and the image away with its last one. Throws EngineError, also when a container uses it. */
    removeImage,

    /**
     * Pulls an image. A failure arrives inside the stream, after status 200: it is thrown as EngineError too. So is an image that nobody
     * can live with.
     */
    async pullImage(reference: string, { login, onLine, signal }: PullOptions): Promise<void> {
      await refuseForbiddenRegistry(reference);
      const stream = await wire.open("POST", "/images/create", {
        query: { fromImage: reference },
        headers: authHeader(login),
        signal,
      });
      for await (const text of readLines(stream)) {
        if (text === "") continue;
        const line = parseJson(text);
        // Only what a registry says against it is so long that its end is left out.
        if (!isPullLine(line)) throw new EngineError(500, text);
        if (line.error !== undefined) throw new EngineError(500, line.error);
        onLine(line);
      }
      await refuseOverlong(reference);
    },

    /** Logs in at a registry as a pull would. Throws EngineError with what the registry, or the way to it, answered. */
    async checkLogin({ registry, username, password }: RegistryLogin, timeoutMs: number): Promise<void> {
      await refuseForbiddenRegistry(`${registry}/image`);
      const body = { username, password, serveraddress: registry };
      await wire.call<unknown>("POST", "/auth", { body, timeoutMs });
    },

    /** Asks the registry whether the image is there, without pulling. Throws EngineError. */
    async checkImage(reference: string, login: RegistryLogin | null, timeoutMs: number, signal?: AbortSignal) {
      await refuseForbiddenRegistry(reference);
      return wire.call<{ Descriptor: { digest: string }; Platforms?: { architecture: string; os: string }[] }>(
        "GET",
        `/distribution/${encodeURIComponent(reference)}/json`,
        { headers: authHeader(login), timeoutMs, signal },
      );
    },
  };
}
