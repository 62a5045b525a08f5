import { join } from "node:path";
import { makeScratch } from "./scratch.ts";
import { serveEngine } from "./serve-socket.ts";

interface KeptImage {
  Id: string;
  RepoTags: string[];
  RepoDigests: string[];
  Architecture: string;
}

interface KeptContainer {
  id: string;
  name: string;
  /** What it was made from. */
  image: string;
  imageId: string;
  labels: Record<string, string>;
  /** What else the engine says of it alone. */
  more?: object;
}

/** A volume in Docker's words. */
interface KeptVolume {
  Name: string;
  Driver: string;
  Labels: Record<string, string> | null;
  Options: Record<string, string> | null;
}

/** What a registry says of a tag: what it stands for, and for which processors. */
interface Tag {
  digest: string;
  architectures: string[];
}

/** An engine in memory that knows as much of images, containers and registries as checks for newer images need. */
export interface ImageEngine {
  socket: string;
  /** Names that registries were asked for, in order. */
  questions: string[];
  /** All other questions, such as `GET /images/json`. */
  calls: string[];
  images: KeptImage[];
  containers: KeptContainer[];
  volumes: KeptVolume[];
  /** What stands at the registries, by the full name. */
  tags: Map<string, Tag>;
  /** What a registry answers instead, by its host: a status with Docker's words for it. */
  trouble: Map<string, { status: number; message: string }>;
  /** Logins that came with questions, by the full name. */
  logins: Map<string, string>;
  /** Set where the engine ends as soon as a registry is to be asked. */
  dies: boolean;
  /** Puts a new image behind a tag of a registry; returns its digest. */
  push(reference: string, architectures?: string[]): string;
  /** Pulls what the tag stands for; returns the id. The name leaves the image that had it before. */
  pull(reference: string, architecture?: string): string;
  /** Makes a container of what the name stands for here, unless it is told. */
  run(name: string, image: string, labels?: Record<string, string>, imageId?: string): void;
  stop(): void;
}

const withoutTag = (reference: string) => reference.replace(/:[^:/]+$/, "");
const shortName = (reference: string) => reference.replace(/^docker\.io\/(library\/)?/, "");

/** Starts one with nothing in it. */
export function startImageEngine(): ImageEngine {
  const socket = join(makeScratch("image-engine"), "docker.sock");
  let last = 0;
  const nextDigest = () => {
    last += 1;
    return `sha256:${last.toString(16).padStart(64, "0")}`;
  };
  const refuse = (status: number, message: string) => Response.json({ message }, { status });
  const findImage = (name: string) =>
    engine.images.find(({ Id, RepoTags }) => Id === name || RepoTags.some((tag) => shortName(tag) === shortName(name)));

  function answerRegistry(reference: string, request: Request): Response {
    engine.questions.push(reference);
    const header = request.headers.get("x-registry-auth");
    if (header !== null) engine.logins.set(reference, JSON.parse(Buffer.from(header, "base64").toString()).username);
    const trouble = engine.trouble.get(reference.split("/")[0] ?? "");
    if (trouble) return refuse(trouble.status, trouble.message);
    const tag = engine.tags.get(reference);
    if (!tag) return refuse(404, "manifest unknown: manifest unknown");
    const Platforms = tag.architectures.map((architecture) => ({ architecture, os: "linux" }));
    return Response.json({ Descriptor: { digest: tag.digest }, Platforms });
  }

  function answer(path: string): Response {
    const [, kind = "", id = ""] = path.split("/").map(decodeURIComponent);
    engine.calls.push(`GET ${path}`);
    if (path === "/images/json")
      return Response.json(engine.images.map((image) => ({ ...image, Created: 1_767_225_600, Size: 1000 })));
    if (kind === "images") {
      const image = findImage(id);
      return image ? Response.json(image) : refuse(404, "no such image");
    }
    if (path === "/containers/json")
      return Response.json(
        engine.containers.map(({ id: Id, name, image, imageId, labels }) => ({
          ...{ Id, Names: [`/${name}`], ImageID: imageId, State: "running", Labels: labels },
          // As Docker does: the name of an image that has it no more is not told.
          Image: findImage(image)?.Id === imageId ? image : imageId,
        })),
      );
    if (kind === "networks") return Response.json([]);
    if (kind === "volumes") return Response.json({ Volumes: engine.volumes });
    const one = engine.containers.find((each) => each.id === id);
    return one
      ? Response.json({ Id: one.id, Config: { Image: one.image }, ...one.more })
      : refuse(404, "no such container");
  }

  const server = serveEngine(socket, (request, path) => {
    const [, kind, id = ""] = path.split("/").map(decodeURIComponent);
    if (kind === "distribution" && engine.dies) engine.stop();
    return kind === "distribution" ? answerRegistry(id, request) : answer(path);
  });

  const engine: ImageEngine = {
    socket,
    questions: [],
    calls: [],
    images: [],
    containers: [],
    volumes: [],
    tags: new Map(),
    trouble: new Map(),
    logins: new Map(),
    dies: false,
    push(reference, architectures = ["amd64"]) {
      const digest = nextDigest();
      engine.tags.set(reference, { digest, architectures });
      return digest;
    },
    pull(reference, Architecture = "amd64") {
      const digest = engine.tags.get(reference)?.digest ?? engine.push(reference);
      const byDigest = `${withoutTag(shortName(reference))}@${digest}`;
      for (const image of engine.images) image.RepoTags = image.RepoTags.filter((tag) => tag !== shortName(reference));
      const here = engine.images.find(({ RepoDigests }) => RepoDigests.includes(byDigest));
      const image = here ?? { Id: nextDigest(), RepoTags: [], RepoDigests: [byDigest], Architecture };
      image.RepoTags.push(shortName(reference));
      if (!here) engine.images.push(image);
      return image.Id;
    },
    run(name, image, labels = {}, imageId = findImage(image)?.Id ?? "") {
      engine.containers.push({ id: nextDigest().slice(7), name, image, imageId, labels });
    },
    stop: () => void server.stop(true),
  };
  return engine;
}
