import { type Static, t } from "elysia";
import { isRecord } from "../../../lib/json.ts";

/** Glyphs of the dashboard's sprite that an app may show. */
export const Icon = t.UnionEnum(
  [
    "book",
    "box",
    "calendar",
    "card",
    "chat",
    "cloud",
    "code",
    "database",
    "edit",
    "file-text",
    "film",
    "folder",
    "gauge",
    "git",
    "globe",
    "house",
    "image",
    "key",
    "layers",
    "link",
    "list",
    "lock",
    "logs",
    "metrics",
    "music",
    "network",
    "plug",
    "server",
    "shield",
    "sync",
    "table",
    "terminal",
    "wand",
    "zap",
  ],
  { description: "Glyph of the dashboard's sprite" },
);
export type Icon = Static<typeof Icon>;

const closed = { additionalProperties: false };
const about = (description: string) => ({ description });
const variable = (description: string) => t.String({ pattern: "^[A-Z][A-Z0-9_]*$", maxLength: 60, description });
const serviceName = (description: string) => t.String({ pattern: "^[a-z0-9][a-z0-9-]*$", maxLength: 40, description });
const port = (description: string) => t.Number({ multipleOf: 1, minimum: 1, maximum: 65_535, description });
const line = (maxLength: number, description: string) =>
  t.String({ minLength: 1, maxLength, pattern: "^[^\\n]*$", description });
const argv = (description: string) => t.Array(t.String(), { minItems: 1, description });

const Exec = t.Object(
  {
    service: serviceName("Service whose container runs it"),
    exec: argv("Program and arguments; no shell unless named"),
  },
  { ...closed, description: "A command inside a container; a non-zero exit code is a failure" },
);

const InputRules = t.Object(
  {
    min: t.Optional(t.Number(about("Smallest number"))),
    max: t.Optional(t.Number(about("Largest number"))),
    min_length: t.Optional(t.Number({ multipleOf: 1, minimum: 0, description: "Fewest characters" })),
    max_length: t.Optional(t.Number({ multipleOf: 1, minimum: 1, description: "Most characters" })),
    pattern: t.Optional(t.String(about("Regular expression that the whole value must match"))),
    pattern_hint: t.Optional(line(120, "What the pattern asks for, in words")),
    options: t.Optional(
      t.Array(t.Object({ value: t.String(), label: line(60, "What people read") }, closed), {
        minItems: 1,
        description: "The choices of a select",
      }),
    ),
  },
  { ...closed, description: "What a value must be like" },
);

export const Input = t.Object(
  {
    key: variable("Name under which the Compose file uses the value"),
    type: t.UnionEnum(["text", "email", "url", "number", "boolean", "password", "select", "timezone"], {
      description: "Which field the install form shows",
    }),
    label: line(60, "What the field is called"),
    default: t.Optional(t.String(about("Value that stands in the form at first"))),
    required: t.Boolean(about("Whether the value may be left empty")),
    hint: t.Optional(line(200, "One sentence below the field")),
    rules: t.Optional(InputRules),
  },
  { ...closed, description: "A question of the install form; the answer reaches the Compose file as a variable" },
);
export type Input = Static<typeof Input>;

export const Secret = t.Object(
  {
    key: variable("Name under which the Compose file uses the value"),
    kind: t.UnionEnum(["hex", "base64", "base64url", "password"], {
      description: "Alphabet; password is letters and digits, safe in any URL or shell",
    }),
    bytes: t.Number({
      multipleOf: 1,
      minimum: 12,
      maximum: 128,
      description: "Random bytes behind it; for password: characters",
    }),
    label: line(60, "What people call it"),
  },
  { ...closed, description: "A value made at install, kept sealed; never written in a template" },
);
export type Secret = Static<typeof Secret>;

export const Port = t.Object(
  {
    service: serviceName("Service that listens"),
    container: port("Port inside the container"),
    protocol: t.Optional(t.UnionEnum(["tcp", "udp"], { description: "tcp when left out" })),
    purpose: line(60, "What speaks there"),
    publish: t.UnionEnum(["proxy", "loopback", "lan", "public"], {
      description: "How far it reaches: behind our own proxy, this server only, the local network, everywhere",
    }),
    host: t.Optional(
      port("Preferred port on the host for protocols that have a fixed one, such as DNS; never required"),
    ),
  },
  { ...closed, description: "A port that people or devices reach; nothing else is published" },
);

export type Port = Static<typeof Port>;

export const Permission = t.Object(
  {
    id: t.String({
      pattern: "^(docker_socket|(host_path|device|capability|security_opt):.+)$",
      description: "docker_socket, host_path:/x, device:/dev/x, capability:X or security_opt:x",
    }),
    title: line(60, "What it is, in words"),
    detail: line(200, "Why the app needs it"),
  },
  { ...closed, description: "Something outside its own containers; the admin confirms it" },
);

export type Permission = Static<typeof Permission>;

const timing = {
  start_s: t.Number({ multipleOf: 1, minimum: 1, maximum: 1800, description: "Seconds that a first start may take" }),
  stable_s: t.Number({
    multipleOf: 1,
    minimum: 1,
    maximum: 600,
    description: "Seconds of health after which an install or update counts",
  }),
};
const HttpHealth = t.Object(
  {
    service: serviceName("Service that is asked"),
    http: t.String({ pattern: "^/", description: "Path that is asked from the host" }),
    port: t.Optional(port("Port inside the container; the main port when left out")),
    expect: t.Number({ multipleOf: 1, minimum: 100, maximum: 599, description: "Status that means healthy" }),
    ...timing,
  },
  closed,
);
const TcpHealth = t.Object(
  { service: serviceName("Service that is asked"), tcp: port("Port inside the container that must accept"), ...timing },
  closed,
);
const ExecHealth = t.Object(
  {
    service: serviceName("Service that is asked"),
    exec: argv("Command inside the container; exit code 0 means healthy"),
    ...timing,
  },
  closed,
);

const Dump = t.Object(
  {
    service: serviceName("Service of the database"),
    engine: t.UnionEnum(["postgres", "mariadb", "mysql", "sqlite", "redis"], { description: "How it is dumped" }),
    user: t.Optional(t.String(about("Database user"))),
    database: t.Optional(t.String(about("Database name; for sqlite the path of the file"))),
  },
  closed,
);

/** The manifest `app.yaml` beside an untouched Compose file. */
export const Manifest = t.Object(
  {
    schema: t.Literal(1, about("Version of this format")),
    id: t.String({ pattern: "^[a-z0-9-]+(\\.[a-z0-9_-]+)+$", description: "Reverse domain name; never changes" }),
    name: t.String({ pattern: "^[a-z0-9][a-z0-9-]{0,38}$", description: "Short name, equal to the folder" }),
    display_name: line(40, "What people call it"),
    version: t.String({ pattern: "^[0-9A-Za-z.+_-]{1,40}$", description: "Upstream version, equal to the folder" }),
    revision: t.Number({ multipleOf: 1, minimum: 1, description: "Counts our changes within one upstream version" }),
    tagline: line(90, "What it does for you, in one line"),
    description: t.String({ minLength: 40, maxLength: 900, description: "Two to four plain sentences" }),
    category: t.UnionEnum(
      ["media", "files", "home", "notes", "security", "code", "data", "websites", "network", "tools"],
      {
        description: "Shelf in the store",
      },
    ),
    icon: Icon,
    featured: t.Optional(t.Boolean(about("Shown at the top of the store; one app at a time"))),
    links: t.Array(t.Object({ label: line(30, "What people read"), url: t.String({ pattern: "^https://" }) }, closed), {
      minItems: 1,
      description: "Website, documentation, source",
    }),
    license: t.String({ minLength: 2, maxLength: 60, description: "SPDX expression, or the name of another licence" }),
    arch: t.Array(t.UnionEnum(["amd64", "arm64"], { description: "Architecture" }), {
      minItems: 1,
      uniqueItems: true,
      description: "Architectures that every image exists for",
    }),
    needs: t.Object(
      {
        ram_mb: t.Number({ multipleOf: 1, minimum: 8, description: "Free memory for a normal run, MiB" }),
        disk_mb: t.Number({ multipleOf: 1, minimum: 10, description: "Free disk for images and first data, MiB" }),
        docker: t.String({ pattern: "^>=\\d+(\\.\\d+)*$", description: "Oldest Docker Engine, such as >=20.10" }),
      },
      { ...closed, description: "What the server must have" },
    ),
    main: t.Object(
      {
        service: serviceName("Service that people open"),
        port: port("Its port inside the container"),
        path: t.String({ pattern: "^/", description: "Where the first page is" }),
        scheme: t.Optional(
          t.UnionEnum(["http", "https", "tcp"], { description: "http when left out; tcp has no page to open" }),
        ),
      },
      closed,
    ),
    inputs: t.Array(Input, about("Questions of the install form")),
    secrets: t.Array(Secret, about("Values made at install")),
    ports: t.Array(Port, { minItems: 1, description: "What is reachable, and how far" }),
    domains: t.Optional(
      t.Array(
        t.Object(
          {
            service: serviceName("Service behind the domain"),
            port: port("Its port inside the container"),
            websocket: t.Optional(t.Boolean(about("Whether connections are upgraded"))),
            max_body_mb: t.Optional(t.Number({ multipleOf: 1, minimum: 1, description: "Largest upload, MiB" })),
            timeout_s: t.Optional(t.Number({ multipleOf: 1, minimum: 1, description: "Longest silence, seconds" })),
          },
          closed,
        ),
        about("What the reverse proxy must know"),
      ),
    ),
    volumes: t.Array(
      t.Object(
        {
          name: t.String({ pattern: "^[a-z0-9][a-z0-9_-]*$", description: "Volume of the Compose file" }),
          role: t.UnionEnum(["data", "database", "cache"], {
            description: "data and database are backed up; a cache may be emptied",
          }),
        },
        closed,
      ),
      about("Role of every named volume"),
    ),
    health: t.Union([HttpHealth, TcpHealth, ExecHealth], about("When the app as a whole works")),
    backup: t.Object(
      {
        consistency: t.UnionEnum(["dump", "pause", "stop", "live"], { description: "How a copy becomes consistent" }),
        dumps: t.Optional(t.Array(Dump, about("Databases that are dumped before the copy"))),
        hooks: t.Optional(
          t.Object(
            {
              pre: t.Optional(t.Array(Exec)),
              post: t.Optional(t.Array(Exec)),
              restore_post: t.Optional(t.Array(Exec)),
            },
            closed,
          ),
        ),
      },
      { ...closed, description: "How the app is backed up" },
    ),
    upgrade: t.Object(
      {
        from: t.Array(
          t.Object(
            {
              range: t.String(about("Versions that can go straight to this one, such as >=2.5 <3")),
              stop_at: t.Optional(t.String(about("Version that must be passed first"))),
            },
            closed,
          ),
        ),
        breaking: t.Optional(line(300, "What changes for people")),
        snapshot: t.UnionEnum(["images", "required"], { description: "Whether volumes are kept for a way back" }),
        hooks: t.Optional(t.Object({ pre: t.Optional(t.Array(Exec)), post: t.Optional(t.Array(Exec)) }, closed)),
      },
      { ...closed, description: "How this version is reached" },
    ),
    limits: t.Record(
      t.String(),
      t.Object(
        {
          memory_mb: t.Number({ multipleOf: 1, minimum: 6, description: "Hard limit, MiB, with headroom" }),
          cpus: t.Optional(t.Number({ exclusiveMinimum: 0, description: "Cores" })),
          pids: t.Optional(t.Number({ multipleOf: 1, minimum: 16, description: "Most processes and threads" })),
        },
        closed,
      ),
      about("Limits of each service; the admin may change them"),
    ),
    permissions: t.Array(Permission, about("What the admin confirms")),
    unpinned: t.Optional(
      t.Array(
        t.Object({ service: serviceName("Service whose image has no digest"), reason: line(200, "Why") }, closed),
        about("Images without a digest, with the reason"),
      ),
    ),
    first_run: t.Optional(
      t.Object(
        {
          url: t.String({ pattern: "^/", description: "Page to open first" }),
          show: t.Array(t.String(), about("Inputs and secrets to show there")),
          note: line(400, "What to do first"),
        },
        { ...closed, description: "What comes after the install" },
      ),
    ),
    uninstall: t.Object(
      { keep: t.Array(t.String(), about("Volumes that stay unless the data is deleted too")) },
      { ...closed, description: "What an uninstall leaves" },
    ),
    test: t.Optional(
      t.Object(
        {
          write: t.Array(Exec, about("Puts data in")),
          read: t.Array(Exec, about("Proves that the data is still there")),
        },
        { ...closed, description: "Proves an update or a restore" },
      ),
    ),
  },
  { ...closed, title: "Orrery app manifest" },
);
export type Manifest = Static<typeof Manifest>;

/** Names of the categories that people read, in the order of the store. */
export const CATEGORY_NAMES: Readonly<Record<Manifest["category"], string>> = {
  media: "Photos and media",
  files: "Files and office",
  home: "Home",
  notes: "Notes and reading",
  security: "Security",
  code: "Code and automation",
  data: "Data",
  websites: "Websites",
  network: "Network",
  tools: "Tools",
};

/** The JSON Schema (2020-12) of `app.yaml`, as editors use it; `embed/node/templates/schema.json` is this. */
export function manifestJsonSchema(): Record<string, unknown> {
  const plain: unknown = JSON.parse(JSON.stringify(Manifest), (_, value: unknown) => {
    // Elysia gives every enum its first value as default, which an editor would fill in.
    if (!isRecord(value) || !Array.isArray(value["enum"])) return value;
    const { default: _first, ...rest } = value;
    return rest;
  });
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...(isRecord(plain) ? plain : {}) };
}
