import { type Static, t } from "elysia";
import { isRecord } from "../../../lib/json.ts";
import {
  about,
  closed,
  Dump,
  Exec,
  ExecHealth,
  HttpHealth,
  Icon,
  Input,
  line,
  Permission,
  Port,
  port,
  Secret,
  serviceName,
  TcpHealth,
} from "./manifest-parts.ts";

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
