import type { Database } from "bun:sqlite";
import type { AnyBus } from "../kernel/bus.ts";
import type { Store } from "../kernel/db/store.ts";
import type { AccessChanges } from "../kernel/http/access-changes.ts";
import type { AnswerCounts } from "../kernel/http/answer-counts.ts";
import type { AppError } from "../kernel/http/errors.ts";
import type { TakeStreamPlace } from "../kernel/http/stream-places.ts";
import type { Jobs } from "../kernel/jobs.ts";
import type { List } from "../kernel/list.ts";
import type { Log } from "../kernel/log.ts";
import type { Outgoing, OutgoingReply, OutgoingRequest } from "../kernel/outgoing/index.ts";
import type { Seal } from "../kernel/seal.ts";
import type { Settings } from "../kernel/settings.ts";
import type { Clock } from "../lib/clock.ts";
import type { TakeTurn } from "../lib/fair-turns.ts";
import type { Ids } from "../lib/ids.ts";
import type { NodePlan } from "../shared/plans/index.ts";
import type { Role } from "./access.ts";
import type { NodeConfig } from "./config.ts";
import type { AllMeanings } from "./event-meaning.ts";
import type { Host } from "./machine/index.ts";
import type { Watched } from "./watched.ts";

/** What the kernel and the host give every feature of the node; it names no feature. */
export interface NodeBase {
  config: NodeConfig;
  /** Version of the running program. */
  version: string;
  /** Folder with what the program carries: `ui`, `templates`, … */
  embedRoot: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  /** Numbers in [0, 1), for jitter. */
  random: () => number;
  /** State; backed up. */
  db: Store;
  /** Series; can be lost. */
  metricsDb: Database;
  /** Every event, for those who pass them on. A feature that emits or listens says which events it knows: `bus: Bus<…>`. */
  bus: AnyBus;
  /** What each event means to people, as the feature that emits it says. */
  meanings: AllMeanings;
  jobs: Jobs;
  seal: Seal;
  settings: Settings;
  /** The machine below us. */
  host: Host;
  /** HTTP to places that people name; the only way to them. */
  outgoing: Outgoing;
  /** Ports this program listens on, which `outgoing` stays away from; every listener adds its own. */
  ownPorts: Set<number>;
  /** Where this node listens; the port is 0 until the system has chosen one. */
  listening: { host: string; port: number };
  /** Aborts when the program stops. */
  signal: AbortSignal;
  /** Called before every step of long work, with whose work it is; tests stop the world here. */
  checkpoint?(subjectId: string, step: string): void | Promise<void>;
  /** How this program's own requests went. */
  answerCounts: AnswerCounts;
  /** Told when somebody may have lost what they were let in by: streams and sockets ask again. */
  accessChanges: AccessChanges;
  /** Bounds the live streams: of an account, and of all. */
  takeStreamPlace: TakeStreamPlace;
  /** The turns in which everybody is answered, whatever way they come. */
  takeTurn: TakeTurn;
  /** What features add for others to read, which know nothing of them. */
  lists: NodeLists;
}

/** The shared lists: filled while features are made, read while the program runs. */
export interface NodeLists {
  /** Blocks of the dashboard's first glance; some are read elsewhere too, such as how many apps there are. */
  overview: List<OverviewBlock>;
  /** Says the name of whoever has this id; null for ids that are not theirs. */
  names: List<(id: string) => string | null>;
  /** Says the role that an account acts with now; null for one that is switched off or gone, and for those that are not theirs. */
  roles: List<(userId: string) => Role | null>;
  /**
   * Says which control panel this node belongs to, if any; null while it belongs to none. The sign-in page shows the first, and
   * the first is asked for release notes.
   */
  panels: List<() => KnownPanel | null>;
  /** Who may decide the plan, such as a panel's license; the first that is not null wins, else the configuration decides. */
  plans: List<() => NodePlan | null>;
  /** What alerts can be about. */
  watched: List<Watched>;
  /** Tells that something an event called bad is good again, where no event says so. */
  recoveries: List<Recovery>;
  /** Ways in that outlast a session: a new password ends them unless their owner keeps them. */
  lastingWays: List<LastingWay>;
  /** What users keep here that goes with their accounts. */
  belongings: List<Belongings>;
  /** Says why a component of the system that a route needs is off; null for one that is on, and for those that are not theirs. */
  absences: List<(id: string) => AppError | null>;
  /** What containers run in, as far as it can be seen; null where nothing of that kind is here. */
  engines: List<() => EngineFacts | null>;
  /** How backups went that ended at that time or later, the oldest first; times in milliseconds. */
  backupRuns: List<(since: number) => readonly BackupRun[]>;
  /** What people of a panel find here by a text. */
  finds: List<NodeFind>;
  /** Says what somebody of the panel is here, by their account and role there; null for who is not let in. */
  panelReaders: List<(person: { account_id: string; role: string }) => PanelReader | null>;
  /** Says what of an app's paths on the server others can replace, and what of theirs the app could. Throws where the engine does not answer. */
  pathDangers: List<(app: AppPaths) => Promise<PathDanger[]>>;
  /** References of images that stay when room is made, although no container may be made of them now. */
  keptImages: List<() => readonly string[]>;
  /** Says of an app why it must not run now, and what to do; null where nothing is in the way. */
  holds: List<(appId: string) => string | null>;
  /** Begins what the setup asks for; throws an AppError that says why not. */
  starters: List<(name: string, by: { user_id: string; ip: string }, options: StarterOptions) => Promise<Started>>;
}

/** What users keep here of one kind, such as files. */
export interface Belongings {
  /** Says what somebody has, in words such as `12 files in the Drive`; null for nothing. */
  tell(userId: string): string | null;
  /** Whether it is too much to be removed while everybody waits. */
  isLarge(userId: string): boolean;
  /** Removes it a part at a time; what was begun by a program that ended goes on. Ends early with the program. */
  clear(userId: string): Promise<void>;
}

/** One kind of way in that outlasts a session, such as API keys. */
export interface LastingWay {
  /** What its owner calls it when choosing to keep it; null for what ends whatever they choose. */
  name: string | null;
  count(userId: string): number;
  /** Ends all of a user's and tells how many. The device that asks, and what it made, is spared. Called inside a transaction. */
  endAllOf(userId: string, by: { ip: string; spare_device_id: string | null }): number;
  /** Ends those that a paired device made, or a session that it let in. Called inside the transaction that ends the device. */
  endMadeBy(deviceId: string, ip: string): void;
  /** Ends those that wait to be opened and were made in a session. Called inside the transaction that ends it as nobody's to trust. */
  endMadeIn?(sessionId: string): void;
  /** Ends those that wait to be opened and that a user made for others. Called inside the transaction after which they may make none. */
  endGivenBy?(userId: string): void;
}

/** Somebody of the panel, as what they are on this node. */
export interface PanelReader {
  role: Role;
  /** Their account here; null for who never came. */
  user_id: string | null;
}

/** Things of one kind that have names. */
export interface NodeFind {
  /** What the kind is called: `containers`, … */
  source: string;
  /** The least role that is told of such things. */
  least: Role;
  /** Those of the reader that have the text, which is in small letters, in their names; at most `limit`. */
  find(text: string, limit: number, reader: PanelReader): Promise<NodeFound[]>;
}

/** A thing that has the text. */
export interface NodeFound {
  id: string;
  title: string;
  /** One line that tells it from others of the same title. */
  snippet: string;
}

/** A backup that is over, and how it went. */
export interface BackupRun {
  is_good: boolean;
  started_at: number;
  finished_at: number;
  size_bytes: number;
}

/** The engine that containers run in. */
export interface EngineFacts {
  /** Null while it does not answer. */
  version: string | null;
  /** It answers, if only to say that it is too old. */
  answers: boolean;
  too_old: boolean;
}

/** Paths of the server that an app's containers have, or would have. */
export interface AppPaths {
  paths: readonly { service: string; path: string; isWritten: boolean }[];
  /** Whether a container with these labels is one of the app's. */
  isOwn(labels: Readonly<Record<string, string>>): boolean;
}

/** A power that a container gets by what may be written where paths are looked up. */
export interface PathDanger {
  id: string;
  service: string;
  text: string;
  /** True where others can replace a path of the app, false where the app could replace theirs. */
  isNested: boolean;
}

/** A control panel as others here need to know it. */
export interface KnownPanel {
  /** Where people open it; null when it has said no address for them. */
  url: string | null;
  /** This node's name there. */
  instance_id: string;
  /** Asks a path of its pages, wherever they are; nothing else of this machine or its network is reached so. Throws OutgoingError. */
  ask(path: string, request: PageRequest): Promise<OutgoingReply>;
}

/** A request to a path of the panel's pages. */
export type PageRequest = Omit<OutgoingRequest, "url">;

/** How to see that a state of alert rules is good again. */
export interface Recovery {
  metric: string;
  isGood(entity: string): boolean;
}

export interface StarterOptions {
  publish?: "loopback" | "lan";
}

/** What a starter has begun. */
export interface Started {
  id: string;
  status: string;
}

/** One block of the overview, under its name there. */
export interface OverviewBlock {
  name: string;
  read(): object | Promise<object>;
}
