import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "./scratch.ts";
import { serveSocket } from "./serve-socket.ts";

/** Where it keeps its volumes; nothing is there. */
const ROOT = "/var/lib/docker-in-memory";

interface Place {
  /** Docker remembers the network's id once it has looked it up, and then knows it by nothing else. */
  id: string | null;
  aliases: string[];
}

interface Kept {
  id: string;
  name: string;
  status: "created" | "running" | "exited" | "restarting";
  exitCode: number;
  starts: number;
  // The body of the request is looked into freely, as Docker does.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  spec: any;
  places: Record<string, Place>;
  imageId: string;
  /** What was put into it before its start, as archives by their path. */
  files: Map<string, Buffer>;
}

interface Network {
  Id: string;
  Name: string;
  Labels: Record<string, string>;
  Internal: boolean;
  Options: Record<string, string>;
  EnableIPv6: boolean;
  IPAM: { Config: object[] };
}

/** What becomes of a question to the engine: it is answered, refused, or whoever asks is gone before or after it is done. */
export type Fate = "answer" | "refuse" | "die-before" | "die-after";

/** An engine in memory that knows as much of containers, networks and volumes as a Compose project needs. */
export interface ComposeEngine {
  /** Begins to listen to another program at a socket of its own, and answers those before it no more, as nothing would that is dead. */
  listen(): string;
  /** What was asked and can change something, such as `POST /containers/web/start`, with names instead of ids. */
  asked: string[];
  /** Decides about each question that is about containers, networks, volumes or images, by its number. */
  fateOf: (count: number) => Fate;
  /** How many such questions there were since the last `forget`. */
  count(): number;
  forget(): void;
  /** Where all containers are reached; empty for nowhere. */
  address: string;
  /** Programs that end as soon as they are started, by image. */
  broken: Set<string>;
  /** Images that a pull finds a newer one of. */
  newer: Set<string>;
  /** What images say of their containers. */
  labels: Map<string, Record<string, string>>;
  /** What checks of containers that run say, by image. */
  health: Map<string, string>;
  /** Names with state, image and environment, sorted. */
  containers(): { name: string; status: string; image: string; env: string[]; networks: string[] }[];
  /** Names of the volumes of a container. */
  volumesOf(name: string): string[];
  networks(): { name: string; internal: boolean }[];
  /** Names of which it makes one more network when it is asked in the same moment. */
  twins: Set<string>;
  /** Puts another network, with these labels, in the place of the one that is called so. */
  replaceNetwork(name: string, labels: Record<string, string>): void;
  /** The text of a file that was put into a container; null where it has none. */
  fileOf(name: string, path: string): string | null;
  volumes: Map<string, { Labels: Record<string, string>; Options: Record<string, string> }>;
  /** Makes a container somebody else's: what an Orrery wrote on it is gone. */
  disown(name: string): void;
  stop(): void;
}

/** Starts one; every image is there. */
export function startComposeEngine(): ComposeEngine {
  const folder = makeScratch("compose-engine");
  const containers = new Map<string, Kept>();
  const networks = new Map<string, Network>();
  const volumes: ComposeEngine["volumes"] = new Map();
  const broken = new Set<string>();
  const newer = new Set<string>();
  const twins = new Set<string>();
  const imageIds = new Map<string, string>();
  const shortName = (reference: string) => reference.replace(/^docker.io\/(library\/)?/, "");
  const idOfImage = (reference: string) => imageIds.get(shortName(reference)) ?? `sha256:${shortName(reference)}`;
  const labels: ComposeEngine["labels"] = new Map();
  const labelsOfImage = (image: string) => labels.get(shortName(image).replace(/^sha256:(newer-)?/, "")) ?? {};
  const health: ComposeEngine["health"] = new Map();
  const asked: string[] = [];
  let count = 0;
  let last = 0;

  const json = (body: unknown, status = 200) => Response.json(body, { status });
  const refuse = (status: number, message: string) => json({ message }, status);
  const done = () => new Response(null, { status: 204 });
  const idOf = () => {
    last += 1;
    return last.toString(16).padStart(12, "0").padEnd(64, "0");
  };
  const find = (id: string) => containers.get(id) ?? [...containers.values()].find(({ name }) => name === id);
  const findNetwork = (id: string) => networks.get(id) ?? [...networks.values()].find(({ Name }) => Name === id);
  const labelsOf = (query: URLSearchParams): string[] => JSON.parse(query.get("filters") ?? "{}").label ?? [];
  const fits = (labels: Record<string, string>, wanted: string[]) =>
    wanted.every((text) => {
      const [key = "", value] = text.split("=");
      return value === undefined ? key in labels : labels[key] === value;
    });
  const isUp = ({ status }: Kept) => status === "running" || status === "restarting";

  const mountsOf = ({ spec }: Kept) => [
    ...(spec.HostConfig?.Mounts ?? []).map(({ Type, Source, Target, ReadOnly }: Record<string, unknown>) => ({
      ...(Type === "volume" ? { Name: Source } : {}),
      ...{ Type, Source, Destination: Target, RW: ReadOnly !== true },
    })),
    ...(spec.HostConfig?.Binds ?? []).map((bind: string) => {
      const [Source, Destination, mode] = bind.split(":");
      return { Type: "bind", Source, Destination, RW: mode !== "ro" };
    }),
  ];
  const listed = (one: Kept) => ({
    Id: one.id,
    Names: [`/${one.name}`],
    Image: one.spec.Image,
    ImageID: one.imageId,
    State: one.status,
    Status: one.status === "exited" ? `Exited (${one.exitCode}) 1 second ago` : one.status,
    Labels: one.spec.Labels,
    Mounts: mountsOf(one),
    NetworkSettings: { Networks: placesOf(one) },
  });
  const placesOf = ({ id, places }: Kept) =>
    Object.fromEntries(
      Object.entries(places).map(([name, place]) => [
        name,
        { NetworkID: place.id ?? "", IPAddress: engine.address, Aliases: [...place.aliases, id.slice(0, 12)] },
      ]),
    );
  const inspected = (one: Kept) => ({
    Id: one.id,
    Name: `/${one.name}`,
    RestartCount: one.status === "restarting" ? 1 : 0,
    State: {
      ...{ Status: one.status, Running: isUp(one), Restarting: one.status === "restarting", OOMKilled: false },
      ...(health.has(one.spec.Image) && isUp(one) ? { Health: { Status: health.get(one.spec.Image) } } : {}),
      ...{ Pid: 0, ExitCode: one.exitCode, Error: "", StartedAt: "", FinishedAt: "" },
    },
    Config: { Tty: false, Hostname: one.id.slice(0, 12), ...one.spec },
    HostConfig: { Memory: 0, ...one.spec.HostConfig },
    NetworkSettings: { Networks: placesOf(one) },
    Mounts: mountsOf(one),
  });

  const portsOf = ({ spec }: Kept): string[] =>
    Object.values(spec.HostConfig?.PortBindings ?? {}).flatMap((list) =>
      (list as { HostPort: string }[]).map(({ HostPort }) => HostPort),
    );

  function start(one: Kept): Response {
    if (isUp(one)) return new Response(null, { status: 304 });
    for (const [name, place] of Object.entries(one.places)) {
      const network = findNetwork(place.id ?? name);
      if (!network) return refuse(404, `network ${place.id ?? name} not found`);
      place.id = network.Id;
    }
    const taken = [...containers.values()].filter((other) => other !== one && isUp(other)).flatMap(portsOf);
    const clash = portsOf(one).find((port) => taken.includes(port));
    if (clash !== undefined) return refuse(500, `port ${clash} is already allocated`);
    one.starts += 1;
    const isBroken = broken.has(one.spec.Image);
    one.status = isBroken ? "exited" : "running";
    one.exitCode = isBroken ? 3 : 0;
    return done();
  }

  function answerNetwork(method: string, id: string, verb: string, query: URLSearchParams, body: Body): Response {
    if (method === "GET") return json([...networks.values()].filter(({ Labels }) => fits(Labels, labelsOf(query))));
    if (id === "create") {
      if (findNetwork(body.Name) && !twins.has(body.Name))
        return refuse(409, `network with name ${body.Name} already exists`);
      const { Name, Labels = {}, Internal = false, Options = {}, EnableIPv6 = false, IPAM } = body;
      const Id = idOf();
      const addresses = IPAM ?? { Config: [{ Subnet: "auto" }] };
      networks.set(Id, { Id, Name, Labels, Internal, Options, EnableIPv6, IPAM: addresses });
      return json({ Id }, 201);
    }
    const network = findNetwork(id);
    if (!network) return refuse(404, `network ${id} not found`);
    if (verb === "") {
      const member = [...containers.values()].find((one) => isUp(one) && one.places[network.Name]?.id === network.Id);
      if (member) return refuse(403, `network ${network.Name} has active endpoints`);
      networks.delete(network.Id);
      return done();
    }
    const one = find(body.Container);
    if (!one) return refuse(404, "no such container");
    if (verb === "disconnect") {
      delete one.places[network.Name];
      return done();
    }
    if (one.places[network.Name] && isUp(one)) return refuse(403, "endpoint already exists in network");
    one.places[network.Name] = { id: network.Id, aliases: body.EndpointConfig?.Aliases ?? [] };
    return done();
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  type Body = any;

  /** A file of a container as an archive; what is written into it is one of one file. */
  function answerArchive(method: string, one: Kept, query: URLSearchParams, body: Body): Response {
    if (method === "GET") {
      const archive = one.files.get(query.get("path") ?? "");
      return archive ? new Response(archive) : refuse(404, "no such file");
    }
    const archive = Buffer.from(body);
    const name = archive.toString("latin1", 0, archive.indexOf(0));
    one.files.set(join(query.get("path") ?? "/", name), archive);
    return json(null);
  }

  function answerContainer(method: string, id: string, verb: string, query: URLSearchParams, body: Body): Response {
    if (id === "json") {
      return json([...containers.values()].filter(({ spec }) => fits(spec.Labels, labelsOf(query))).map(listed));
    }
    if (id === "create") {
      const name = query.get("name") ?? "";
      if (find(name)) return refuse(409, `the container name "${name}" is already in use`);
      const places: Kept["places"] = {};
      for (const [network, { NetworkID = null, Aliases = [] }] of Object.entries<{
        NetworkID?: string;
        Aliases?: string[];
      }>(body.NetworkingConfig?.EndpointsConfig ?? {}))
        places[networks.get(network)?.Name ?? network] = { id: NetworkID, aliases: Aliases };
      const one: Kept = {
        id: idOf(),
        name,
        status: "created",
        exitCode: 0,
        starts: 0,
        spec: { ...body, Labels: { ...labelsOfImage(body.Image), ...body.Labels } },
        places,
        imageId: idOfImage(body.Image),
        files: new Map(),
      };
      containers.set(one.id, one);
      return json({ Id: one.id }, 201);
    }
    const one = find(id);
    if (!one) return refuse(404, `no such container: ${id}`);
    if (method === "DELETE") {
      containers.delete(one.id);
      return done();
    }
    if (verb === "archive") return answerArchive(method, one, query, body);
    if (verb === "json") return json(inspected(one));
    if (verb === "logs") return new Response("");
    if (verb === "start") return start(one);
    if (verb === "stop" || verb === "restart") {
      if (isUp(one)) Object.assign(one, { status: "exited", exitCode: 0 });
      return verb === "stop" ? done() : start(one);
    }
    if (verb === "rename") {
      const name = query.get("name") ?? "";
      if (find(name)) return refuse(409, `the container name "${name}" is already in use`);
      one.name = name;
      return done();
    }
    return refuse(404, "page not found");
  }

  function answer(method: string, path: string, query: URLSearchParams, body: Body): Response {
    const [, kind = "", id = "", verb = ""] = path.split("/").map(decodeURIComponent);
    if (kind === "images" && id === "create") {
      const reference = shortName(query.get("fromImage") ?? "");
      if (newer.has(reference)) imageIds.set(reference, `sha256:newer-${reference}`);
      return new Response("{}\n");
    }
    if (kind === "images") {
      const Config = { Labels: labelsOfImage(id) };
      return json({ Id: idOfImage(id), Architecture: "amd64", RepoTags: [], RepoDigests: [], Config });
    }
    if (kind === "networks") return answerNetwork(method, id, verb, query, body);
    if (kind === "containers") return answerContainer(method, id, verb, query, body);
    if (method === "GET") {
      const list = [...volumes].map(([Name, one]) => ({ Name, Mountpoint: `${ROOT}/volumes/${Name}/_data`, ...one }));
      return json({ Volumes: list.filter(({ Labels }) => fits(Labels, labelsOf(query))) });
    }
    if (id === "create") {
      if (!volumes.has(body.Name))
        volumes.set(body.Name, { Labels: body.Labels ?? {}, Options: body.DriverOpts ?? {} });
      return json({ Name: body.Name, ...volumes.get(body.Name) }, 201);
    }
    volumes.delete(id);
    return done();
  }

  const named = (method: string, path: string, body: Body) => {
    const [, kind = "", id = "", verb = ""] = path.split("/").map(decodeURIComponent);
    const name = kind === "containers" ? (find(id)?.name ?? id) : (findNetwork(id)?.Name ?? body?.Name ?? id);
    return [method, kind, name, verb].filter((part) => part !== "").join(" ");
  };

  const servers: Bun.Server<undefined>[] = [];
  /** The program that is listened to; 0 once it was killed. */
  let living = 0;
  const forever = () => new Promise<Response>(() => {});

  async function reply(from: number, request: Request): Promise<Response> {
    if (from !== living) return await forever();
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/v[\d.]+/, "");
    if (path === "/version") return json({ Version: "27.0.0", ApiVersion: "1.47", MinAPIVersion: "1.24" });
    if (path === "/info") return json({ Driver: "overlay2", DockerRootDir: ROOT, Architecture: "x86_64" });
    if (path === "/events") return new Response(new ReadableStream({ start: (stream) => stream.enqueue("\n") }));
    const text = request.method === "POST" ? await request.text() : "";
    const body = request.method === "PUT" ? await request.arrayBuffer() : text === "" ? {} : JSON.parse(text);
    count += 1;
    const fate = engine.fateOf(count);
    if (fate.startsWith("die")) living = 0;
    if (fate === "die-before") return await forever();
    if (fate === "refuse" && request.method !== "GET") return refuse(500, "the engine has a bad day");
    if (request.method !== "GET") asked.push(named(request.method, path, body));
    const answered = answer(request.method, path, url.searchParams, body);
    return fate === "die-after" ? await forever() : answered;
  }

  const engine: ComposeEngine = {
    listen() {
      const from = servers.length + 1;
      const socket = join(folder, `docker-${from}.sock`);
      // Whoever was killed in the middle of a question learns no answer, not even that there is none: it would go on.
      servers.push(serveSocket(socket, (request) => reply(from, request)));
      living = from;
      return socket;
    },
    address: "",
    asked,
    fateOf: () => "answer",
    count: () => count,
    forget() {
      count = 0;
      asked.splice(0);
    },
    broken,
    health,
    labels,
    newer,
    twins,
    volumes,
    containers: () =>
      [...containers.values()]
        .map(({ name, status, spec, places }) => ({
          name,
          status,
          image: shortName(spec.Image),
          env: spec.Env ?? [],
          networks: Object.keys(places).sort(),
        }))
        .sort((left, right) => left.name.localeCompare(right.name)),
    volumesOf(name) {
      const one = find(name);
      return one ? mountsOf(one).flatMap(({ Name }) => Name ?? []) : [];
    },
    networks: () =>
      [...networks.values()]
        .map(({ Name, Internal }) => ({ name: Name, internal: Internal }))
        .sort((left, right) => left.name.localeCompare(right.name)),
    replaceNetwork(name, labels) {
      const network = findNetwork(name);
      if (!network) throw new Error(`there is no ${name}`);
      networks.delete(network.Id);
      const Id = idOf();
      networks.set(Id, { ...network, Id, Labels: labels });
    },
    fileOf(name, path) {
      const archive = find(name)?.files.get(path);
      const size = Number.parseInt(archive?.toString("latin1", 124, 135) ?? "0", 8);
      return archive?.toString("utf8", 512, 512 + size) ?? null;
    },
    disown(name) {
      const one = find(name);
      if (!one) throw new Error(`there is no ${name}`);
      const labels = Object.entries<string>(one.spec.Labels).filter(([key]) => !key.startsWith("orrery."));
      one.spec.Labels = Object.fromEntries(labels);
    },
    stop() {
      for (const server of servers) void server.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return engine;
}
