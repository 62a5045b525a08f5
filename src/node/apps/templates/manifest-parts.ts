import { type Static, t } from "elysia";

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

/** Options of an object that allows no other keys. */
export const closed = { additionalProperties: false };
/** Options with only a description. */
export const about = (description: string) => ({ description });
/** Name of a variable of the Compose file. */
const variable = (description: string) => t.String({ pattern: "^[A-Z][A-Z0-9_]*$", maxLength: 60, description });
/** Name of a service of the Compose file. */
export const serviceName = (description: string) =>
  t.String({ pattern: "^[a-z0-9][a-z0-9-]*$", maxLength: 40, description });
/** A port number. */
export const port = (description: string) => t.Number({ multipleOf: 1, minimum: 1, maximum: 65_535, description });
/** Text of one line. */
export const line = (maxLength: number, description: string) =>
  t.String({ minLength: 1, maxLength, pattern: "^[^\\n]*$", description });
const argv = (description: string) => t.Array(t.String(), { minItems: 1, description });

export const Exec = t.Object(
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
    rotatable: t.Optional(
      t.Boolean(about("Whether a new value simply takes the place of the old one; no when it is left out")),
    ),
    reason: t.Optional(line(200, "Why it cannot be renewed from outside the app, and where it is changed instead")),
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
    host: t.Optional(port("Preferred port on the host for protocols that have a fixed one, such as DNS")),
    host_network: t.Optional(
      t.Boolean(
        about("Its service uses the network of the server: the port is open there as it is, and can be no other"),
      ),
    ),
    fixed: t.Optional(t.Boolean(about("No other port on the host will do: whoever asks cannot be told another one"))),
  },
  { ...closed, description: "A port that people or devices reach; nothing else is published" },
);

export type Port = Static<typeof Port>;

export const Permission = t.Object(
  {
    id: t.String({
      pattern: "^(docker_socket|host_network|(host_path|device|capability|security_opt):.+)$",
      description: "docker_socket, host_network, host_path:/x, device:/dev/x, capability:X or security_opt:x",
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
export const HttpHealth = t.Object(
  {
    service: serviceName("Service that is asked"),
    http: t.String({ pattern: "^/", description: "Path that is asked from the host" }),
    port: t.Optional(port("Port inside the container; the main port when left out")),
    expect: t.Number({ multipleOf: 1, minimum: 100, maximum: 599, description: "Status that means healthy" }),
    ...timing,
  },
  closed,
);
export const TcpHealth = t.Object(
  { service: serviceName("Service that is asked"), tcp: port("Port inside the container that must accept"), ...timing },
  closed,
);
export const ExecHealth = t.Object(
  {
    service: serviceName("Service that is asked"),
    exec: argv("Command inside the container; exit code 0 means healthy"),
    ...timing,
  },
  closed,
);

export const Dump = t.Object(
  {
    service: serviceName("Service of the database"),
    engine: t.UnionEnum(["postgres", "mariadb", "mysql", "mongodb", "sqlite", "redis"], {
      description: "How it is dumped",
    }),
    user: t.Optional(t.String(about("Database user"))),
    database: t.Optional(t.String(about("Database name; for sqlite the path of the file"))),
  },
  closed,
);
