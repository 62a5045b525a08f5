import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

const closed = { additionalProperties: false };

/** Up to four folders and a name; only the name may begin with a dot, such as `.env`. */
const FILE_PATH = "^([A-Za-z0-9_][A-Za-z0-9_.-]*/){0,4}(\\.?[A-Za-z0-9_][A-Za-z0-9_.-]*)$";

/** As Compose names projects; `orrery-` is for apps. */
const ProjectName = t.String({
  pattern: "^(?!orrery-)[a-z0-9][a-z0-9_-]{0,62}$",
  description: "must be up to 63 lowercase letters, digits, dashes and underscores; orrery- is for apps",
});
const ProjectParams = t.Object({ name: ProjectName });

/** Further files of one project. */
export const MAX_FILES = 20;

/** A further file that the Compose file names, such as one that it includes, by its path in the folder of the project. */
export const ProjectFile = t.Object({
  path: t.String({
    pattern: FILE_PATH,
    maxLength: 200,
    description: "must be a path in the folder of the project, such as conf/app.env, of at most 200 characters",
  }),
  text: t.String({ maxLength: 65_536 }),
});
export type ProjectFile = Static<typeof ProjectFile>;

/** The text of a Compose file, that of its `.env`, and further files that it names. */
const texts = {
  name: ProjectName,
  file: t.String({ minLength: 1, maxLength: 65_536 }),
  env: t.Optional(t.String({ maxLength: 65_536 })),
  files: t.Optional(t.Array(t.Object(ProjectFile.properties, closed), { maxItems: MAX_FILES })),
};
export const PlanInput = t.Object(texts, closed);
export type PlanInput = Static<typeof PlanInput>;

/** More than this is read by nobody; a plan with more is refused. */
export const MAX_DANGERS = 500;
/** A path of the file system, with the name of its service. */
const MAX_DANGER_LENGTH = 4400;

export const DeployInput = t.Object(
  {
    ...texts,
    /** `hash` of the plan that was looked at. */
    plan: t.String({ pattern: "^[a-f0-9]{64}$" }),
    /** Ids of the dangers that the person confirms. */
    confirmed: t.Optional(t.Array(t.String({ maxLength: MAX_DANGER_LENGTH }), { maxItems: MAX_DANGERS })),
    /** Asks for newer images of the same name first, and makes anew what has one. */
    pull: t.Optional(t.Boolean()),
  },
  closed,
);
export type DeployInput = Static<typeof DeployInput>;

const ProjectService = t.Object({
  name: t.String(),
  container_id: t.String(),
  container: t.String(),
  image: t.String(),
  /** Docker's word: created, running, paused, restarting, removing, exited or dead. */
  state: t.String(),
  /** The same in Docker's words, with since when. */
  status: t.String(),
});

export const Project = t.Object({
  name: t.String(),
  /** Its file is kept here; the others were started by somebody else and are known by their labels only. */
  managed: t.Boolean(),
  /** None while nothing of it is on the engine. */
  services: t.Array(ProjectService),
});
export type Project = Static<typeof Project>;

/** A project with its file; the texts are null where it was not deployed here. */
export const ProjectDetail = t.Object({
  ...Project.properties,
  file: NullableText,
  env: NullableText,
  /** Further files that it names. */
  files: t.Array(ProjectFile),
  /** Texts whose latest deploy did not go well: what runs is `file`. */
  draft: Nullable(t.Object({ file: t.String(), env: t.String(), files: t.Array(ProjectFile) })),
  /** Where `docker compose up` finds both. */
  folder: NullableText,
  /** The file that a project of somebody else was started from, where its containers name it and it can be read. */
  found: Nullable(t.Object({ path: t.String(), file: t.String(), env: t.String(), files: t.Array(ProjectFile) })),
});
export type ProjectDetail = Static<typeof ProjectDetail>;

const PlanProblem = t.Object({
  /** `compose.yaml`, `.env`, or the path of a further file. */
  file: t.String(),
  /** From 1; 0 when the whole file is meant. */
  line: t.Number(),
  /** From 1; 0 where nothing narrower than the line is known. */
  column: t.Number(),
  /** Path of keys, such as `services.web.image`. */
  key: t.String(),
  message: t.String(),
  next_step: t.String(),
});
export type PlanProblem = Static<typeof PlanProblem>;

const PlanAction = t.Object({
  action: t.UnionEnum(["create", "change", "keep", "remove"]),
  service: t.String(),
  container: t.String(),
  /** Keys of the service that are other than in the file before; empty where that is not known. */
  changed: t.Array(t.String()),
});
export type PlanAction = Static<typeof PlanAction>;

/** A network or a volume of the project. */
const PlanPart = t.Object({
  kind: t.UnionEnum(["network", "volume"]),
  /** As the file calls it. */
  name: t.String(),
  on_engine: t.String(),
  /** `change`: made anew, with the containers that are in it stopped for a moment. A volume is never changed or removed. */
  action: t.UnionEnum(["create", "change", "keep", "remove"]),
  /** Keys of its definition that are other than on the engine. */
  changed: t.Array(t.String()),
});
export type PlanPart = Static<typeof PlanPart>;

const PlanDanger = t.Object({ id: t.String(), service: t.String(), text: t.String() });
export type PlanDanger = Static<typeof PlanDanger>;

const PlanNote = t.Object({ service: t.String(), text: t.String() });
export type PlanNote = Static<typeof PlanNote>;

export const Plan = t.Object({
  /** Null where the file cannot be deployed: `problems` says why. */
  hash: Nullable(t.String()),
  problems: t.Array(PlanProblem),
  /** The project was started by somebody else: from this deploy on it is looked after here. */
  adopts: t.Boolean(),
  actions: t.Array(PlanAction),
  parts: t.Array(PlanPart),
  /** What the containers could do to the server; each is to be confirmed. */
  dangers: t.Array(PlanDanger),
  /** What is worth knowing and needs no confirmation, such as ports that others reach. */
  notes: t.Array(PlanNote),
});
export type Plan = Static<typeof Plan>;

export const fail = defineErrors({
  compose_project_not_found: [404, "There is no Compose project {name}. Look at the list again."],
  compose_invalid: [422, "{problem}"],
  compose_plan_changed: [
    409,
    "What would be done is not what was shown any more. Look at the new plan, then confirm it.",
  ],
  compose_unconfirmed: [
    409,
    "This gives containers power over the server: {text} Confirm it in the plan of the project, and deploy it.",
  ],
  compose_unfinished: [
    409,
    "A deploy of {name} was cut off, and it cannot be brought back now: {reason} See to what Docker says, then try again.",
  ],
  compose_busy: [409, "Something is being done with {name} already. Wait for its end, then try again."],
});

/** Something that a person did with a project. */
interface Done {
  name: string;
  user_id: string;
  ip: string;
}

export type ComposeProjectEvents = {
  "compose.deployed": Done & { created: string[]; changed: string[]; removed: string[]; confirmed: string[] };
  "compose.started": Done;
  "compose.stopped": Done;
  "compose.restarted": Done;
  "compose.adopted": Done;
  "compose.ejected": Done;
  "compose.removed": Done & { with_volumes: boolean };
};

const access = admin("apps");
/** A key must not hand the whole server to whoever finds it, nor read the passwords of a file. */
const byPeople = admin("apps", { keys: "never" });
const Started = t.Object({ op_id: t.String() });
const verb = { access, params: ProjectParams, out: Started };

export const composeProjectRoutes = defineRoutes({
  "GET /api/containers/compose": { access, out: t.Array(Project) },
  "POST /api/containers/compose": { access: byPeople, body: DeployInput, out: Started },
  "POST /api/containers/compose/plan": { access: byPeople, body: PlanInput, out: Plan },
  "GET /api/containers/compose/{name}": { access: byPeople, params: ProjectParams, out: ProjectDetail },
  "POST /api/containers/compose/{name}/start": verb,
  "POST /api/containers/compose/{name}/stop": verb,
  "POST /api/containers/compose/{name}/restart": verb,
  /** Lets go of a project: its containers run on, and its files stay where they are. */
  "POST /api/containers/compose/{name}/eject": { access: byPeople, params: ProjectParams, ...noContent() },
  "DELETE /api/containers/compose/{name}": {
    access: byPeople,
    params: ProjectParams,
    /** Volumes stay unless they are named here. */
    query: t.Object({ volumes: t.Optional(t.BooleanString()) }),
    out: Started,
  },
});
export type ComposeProjectsApi = ApiOf<typeof composeProjectRoutes>;
