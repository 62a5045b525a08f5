import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";

const closed = { additionalProperties: false };

/** What a name of an image stands for at its registry by now, when that is newer than what runs. */
export const NewerImage = t.Object({
  /** What to pull, as people write it: `nginx:1.29`. */
  reference: t.String(),
  digest: t.String(),
  /** It is here already; containers only have to be made anew. */
  pulled: t.Boolean(),
});
export type NewerImage = Static<typeof NewerImage>;

/** Why a registry did not say whether there is a newer image. */
export const CheckError = t.Object({ code: t.String(), message: t.String(), next_step: t.String() });
export type CheckError = Static<typeof CheckError>;

/** Whose a container, volume or network is, when it is not just the engine's. */
export const Owner = t.Object({
  kind: t.UnionEnum([
    /** An app that is installed here. */
    "app",
    /** The kept data of an app that was uninstalled here. */
    "kept_data",
    /** Another Orrery that shares this engine. */
    "other_node",
  ]),
  app_id: t.String(),
  /** What people call the app; null where it is not known here. */
  name: NullableText,
});
export type Owner = Static<typeof Owner>;

const ContainerPort = t.Object({
  container: t.Number(),
  protocol: t.String(),
  /** Null: other containers reach it, nobody else. */
  host: NullableNumber,
  bind: NullableText,
});

const containerFields = {
  id: t.String(),
  name: t.String(),
  image: t.String(),
  /** Docker's word: created, running, paused, restarting, removing, exited or dead. */
  state: t.String(),
  /** The same in Docker's words, with since when. */
  status: t.String(),
  created_at: NullableText,
  ports: t.Array(ContainerPort),
  /** Values of those that look like passwords are left out. */
  labels: t.Record(t.String(), t.String()),
  /** Name of its Compose project. */
  project: NullableText,
  owner: Nullable(Owner),
  /** Null where it runs what its image's name stands for, where that is not known, and for containers of apps. */
  newer_image: Nullable(NewerImage),
};

export const Container = t.Object(containerFields);
export type Container = Static<typeof Container>;

export const ContainerDetail = t.Object({
  ...containerFields,
  /** A value that looks like a password is null. */
  environment: t.Array(t.Object({ name: t.String(), value: NullableText })),
  /** Entry point and command; parts that look like passwords are stars. */
  command: t.Array(t.String()),
  user: NullableText,
  working_dir: NullableText,
  mounts: t.Array(
    t.Object({
      kind: t.String(),
      /** Name of a volume; path on this server of anything else. */
      source: t.String(),
      target: t.String(),
      read_only: t.Boolean(),
    }),
  ),
  networks: t.Array(t.Object({ name: t.String(), address: NullableText })),
  restart_policy: t.String(),
  restarts: t.Number(),
  health: NullableText,
  exit_code: NullableNumber,
  oom_killed: t.Boolean(),
  error: NullableText,
  started_at: NullableText,
  finished_at: NullableText,
  /** Null: as much as the server has. */
  memory_limit_bytes: NullableNumber,
  cpu_limit: NullableNumber,
  privileged: t.Boolean(),
});
export type ContainerDetail = Static<typeof ContainerDetail>;

/** What a running container uses now; 100 `cpu_percent` is one core. */
export const ContainerStats = t.Object({
  id: t.String(),
  cpu_percent: t.Number(),
  /** Without the inactive file cache; null: the kernel keeps no account of it. */
  memory_bytes: NullableNumber,
  /** Null: as much as the server has. */
  memory_limit_bytes: NullableNumber,
});
export type ContainerStats = Static<typeof ContainerStats>;

const ContainerLine = t.Object({
  /** As the engine recorded it, with nanoseconds. */
  at: t.String(),
  stream: t.UnionEnum(["stdout", "stderr"]),
  /** Null when the line does not say. */
  level: Nullable(t.UnionEnum(["debug", "info", "warn", "error"])),
  text: t.String(),
});
export type ContainerLine = Static<typeof ContainerLine>;

const ContainerLog = t.Object({ lines: t.Array(ContainerLine) });
export type ContainerLog = Static<typeof ContainerLog>;

export const Image = t.Object({
  id: t.String(),
  /** Names; none where a newer image took them all. */
  tags: t.Array(t.String()),
  /** What it was pulled as, by its content; apps pull by these, and then there is no name. */
  digests: t.Array(t.String()),
  size_bytes: t.Number(),
  /** When it was built; null where it does not say, as of those that are built to be the same each time. */
  created_at: NullableText,
  /** Containers made of it. */
  used_by: t.Array(t.String()),
  /** An installed app needs it, although no container may be made of it now. */
  kept: t.Boolean(),
  /** As on the containers that are made of it, and the names of those. */
  newer: Nullable(t.Object({ ...NewerImage.properties, containers: t.Array(t.String()) })),
  /** When a registry was last asked whether there is a newer one; null where none was. */
  checked_at: NullableText,
  /**
   * Why none was: no container is made of it, only somebody's who looks for newer ones (`owned`), its name stands for the same image for
   * ever, it came from no registry, checks were turned off, or its turn has not come (`waiting`). Null where one was.
   */
  unchecked: Nullable(t.UnionEnum(["unused", "owned", "pinned", "local", "off", "waiting"])),
  check_error: Nullable(CheckError),
});
export type Image = Static<typeof Image>;

export const Volume = t.Object({
  name: t.String(),
  driver: t.String(),
  created_at: NullableText,
  used_by: t.Array(t.String()),
  project: NullableText,
  owner: Nullable(Owner),
});
export type Volume = Static<typeof Volume>;

export const Network = t.Object({
  id: t.String(),
  name: t.String(),
  driver: t.String(),
  /** Without a way out of this server. */
  internal: t.Boolean(),
  subnets: t.Array(t.String()),
  used_by: t.Array(t.String()),
  project: NullableText,
  owner: Nullable(Owner),
  /** Docker's own, which cannot be removed. */
  built_in: t.Boolean(),
});
export type Network = Static<typeof Network>;

/** What was removed to make room. Layers that images share count for each of them. */
export const ImagesPruned = t.Object({ removed: t.Array(t.String()), size_bytes: t.Number() });
export type ImagesPruned = Static<typeof ImagesPruned>;

const Started = t.Object({ op_id: t.String() });

const Name = t.String({
  pattern: "^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$",
  description: "must be a name or an id as the list has it",
});
/** A container by its id or its name. */
const ContainerParams = t.Object({ id: Name });
const ImageParams = t.Object({
  id: t.String({ pattern: "^[a-zA-Z0-9:]{1,80}$", description: "must be the id of an image as the list has it" }),
});

const LogQuery = t.Object({
  lines: t.Optional(t.Integer({ minimum: 0, maximum: 5000 })),
  follow: t.Optional(t.BooleanString()),
});

/** Registry, repository, tag and digest as Docker writes them. */
const IMAGE_REFERENCE =
  "^([a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:[0-9]{1,5})?/)?[a-z0-9]+(([._/]|__|-+)[a-z0-9]+)*(:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127})?(@sha256:[a-f0-9]{64})?$";
const ImageReference = t.String({
  maxLength: 400,
  pattern: IMAGE_REFERENCE,
  description: "must be the name of an image, such as nginx:1.29 or ghcr.io/acme/app:2",
});
const PullInput = t.Object({ image: ImageReference }, closed);

const Port = t.Integer({ minimum: 1, maximum: 65_535 });
/** Names of volumes that apps will have are foreseeable: one that somebody else made would stand in the way of an update. */
const VolumeName = t.String({
  pattern: "^(?!orrery-)[a-zA-Z0-9][a-zA-Z0-9_.-]{1,63}$",
  description:
    "must be the name of a volume: 2 to 64 letters, digits, dots, dashes and underscores; orrery- is for apps",
});

/** What a container is made of. Folders of this server are no part of it: only volumes are. */
export const RunInput = t.Object(
  {
    image: ImageReference,
    name: t.String({
      pattern: "^(?!orrery-)[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$",
      description: "must be up to 63 letters, digits, dots, dashes and underscores; orrery- is for apps",
    }),
    /** In place of the image's own. */
    command: t.Optional(t.Array(t.String({ maxLength: 4096 }), { maxItems: 100 })),
    environment: t.Optional(
      t.Record(t.String({ pattern: "^[^=\\s\\0]{1,200}$" }), t.String({ maxLength: 8192 }), {
        maxProperties: 200,
        additionalProperties: false,
      }),
    ),
    ports: t.Optional(
      t.Array(
        t.Object(
          {
            container: Port,
            host: Port,
            protocol: t.Optional(t.Union([t.Literal("tcp"), t.Literal("udp")])),
            /** This server only, unless it says the network. */
            reach: t.Optional(t.Union([t.Literal("loopback"), t.Literal("lan")])),
          },
          closed,
        ),
        { maxItems: 50 },
      ),
    ),
    volumes: t.Optional(
      t.Array(
        t.Object(
          {
            name: VolumeName,
            path: t.String({
              pattern: "^/[^:\\0]{1,400}$",
              description: "must be a path in the container, such as /data",
            }),
            read_only: t.Optional(t.Boolean()),
          },
          closed,
        ),
        { maxItems: 50 },
      ),
    ),
    restart: t.Optional(t.Union([t.Literal("no"), t.Literal("on-failure"), t.Literal("unless-stopped")])),
    memory_mb: t.Optional(t.Integer({ minimum: 6, maximum: 4_194_304 })),
  },
  closed,
);
export type RunInput = Static<typeof RunInput>;

export const fail = defineErrors({
  container_not_found: [404, "There is no container {id}. It may have been removed: look at the list again."],
  container_name_taken: [409, "There is a container {name} already. Choose another name, or remove that one first."],
  container_running: [409, "{name} is running. Stop it first, or remove it by force."],
  image_not_found: [404, "There is no image {id}. It may have been removed: look at the list again."],
  image_in_use: [409, "{users} is made of this image. Remove that first."],
  image_kept: [409, "An installed app needs {name}. Uninstall the app first."],
  volume_not_found: [404, "There is no volume {id}. It may have been removed: look at the list again."],
  key_cannot_open_port: [
    403,
    "An API key cannot open a port to the network: it would stay open when the key has ended. Leave its reach at loopback, or sign in and do it there.",
  ],
  key_cannot_mount: [
    403,
    "An API key opens only volumes that were made for one, and {name} was not. Name another one, or sign in and do it there.",
  ],
  volume_of_keys: [
    409,
    "The volume {name} was made for an API key, and what a key has run may read it. Choose another name, or remove it first under Volumes.",
  ],
  volume_in_use: [409, "{users} uses the volume {name}. Remove that first; the data stays until then."],
  network_not_found: [404, "There is no network {id}. It may have been removed: look at the list again."],
  network_in_use: [409, "{users} is in the network {name}. Remove that first."],
  network_built_in: [409, "{name} is Docker's own network and cannot be removed."],
  owned_by_app: [409, "{name} belongs to the app {app}, which looks after it. Do this on the page of that app."],
  owned_by_kept_data: [409, "{name} is kept data of an uninstalled app. Delete it under Apps, Kept data."],
  owned_by_other_node: [409, "{name} belongs to another Orrery that uses this Docker Engine. Do this there."],
  engine_refused: [409, "Docker refused: {reason} Correct that, then try again."],
  pull_over: [409, "{image} is not being pulled: that is over, or has never begun. Look at the list of images."],
});

/** Something that a person did on the engine. */
interface Done {
  user_id: string;
  ip: string;
}
interface ContainerDone extends Done {
  container_id: string;
  name: string;
  image: string;
}

export type ContainerEvents = {
  "container.made": ContainerDone;
  "container.started": ContainerDone;
  "container.stopped": ContainerDone;
  "container.restarted": ContainerDone;
  "container.removed": ContainerDone;
  "image.pulled": Done & { image: string };
  "image.pull_cancelled": Done & { image: string };
  "image.removed": Done & { images: string[] };
  /** Registries have newer images than containers run that nobody looks after; each is told of once. */
  "image.newer": { images: { image: string; digest: string; containers: string[] }[] };
  "volume.removed": Done & { name: string };
  "network.removed": Done & { name: string };
  /** Something happened to a container of the engine: what is shown of them may be old. */
  "containers.changed": Record<never, never>;
};

const ofContainer = { access: admin("apps"), params: ContainerParams };
const Message = t.Object({ message: t.String() });

export const containerRoutes = defineRoutes({
  "GET /api/containers": { access: user("apps"), out: t.Array(Container) },
  "GET /api/containers/stats": { access: user("apps"), out: t.Array(ContainerStats) },
  // As with terminals and files: what people keep in their volumes is no key's, nor who comes in from the network.
  "POST /api/containers": { access: admin("apps", { keys: "bounded" }), body: RunInput, out: Started },
  "GET /api/containers/images": { access: user("apps"), out: t.Array(Image) },
  "POST /api/containers/images/pull": { access: admin("apps"), body: PullInput, out: Started },
  "POST /api/containers/images/pull/cancel": { access: admin("apps"), body: PullInput, out: Message },
  "POST /api/containers/images/check": { access: admin("apps"), out: Started },
  "POST /api/containers/images/prune": { access: admin("apps"), out: ImagesPruned },
  "DELETE /api/containers/images/{id}": { access: admin("apps"), params: ImageParams, out: Message },
  "GET /api/containers/volumes": { access: user("apps"), out: t.Array(Volume) },
  "DELETE /api/containers/volumes/{id}": { access: admin("apps"), params: t.Object({ id: Name }), out: Message },
  "GET /api/containers/networks": { access: user("apps"), out: t.Array(Network) },
  "DELETE /api/containers/networks/{id}": { access: admin("apps"), params: t.Object({ id: Name }), out: Message },
  "GET /api/containers/{id}": { ...ofContainer, out: ContainerDetail },
  "GET /api/containers/{id}/logs": { ...ofContainer, query: LogQuery, out: ContainerLog },
  "POST /api/containers/{id}/start": { ...ofContainer, out: Container },
  "POST /api/containers/{id}/stop": { ...ofContainer, out: Container },
  "POST /api/containers/{id}/restart": { ...ofContainer, out: Container },
  "DELETE /api/containers/{id}": {
    ...ofContainer,
    query: t.Object({ force: t.Optional(t.BooleanString()) }),
    out: Message,
  },
});
export type ContainersApi = ApiOf<typeof containerRoutes>;
