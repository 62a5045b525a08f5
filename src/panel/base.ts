import type { Jobs } from "../kernel/jobs.ts";
import type { List } from "../kernel/list.ts";
import type { Log } from "../kernel/log.ts";
import type { Outgoing, ResolveTexts } from "../kernel/outgoing/index.ts";
import type { Measure } from "../kernel/prometheus.ts";
import type { Seal } from "../kernel/seal.ts";
import type { AnyTxBus, TxBus } from "../kernel/tx-bus.ts";
import type { Clock } from "../lib/clock.ts";
import type { TakeTurn } from "../lib/fair-turns.ts";
import type { Ids } from "../lib/ids.ts";
import type { AgentCommand, CommandResult } from "../shared/agent-protocol/index.ts";
import type { Permission, RoleName } from "./access.ts";
import type { AccessEnds } from "./access-ends.ts";
import type { Actor } from "./actor.ts";
import type { PanelConfig } from "./config.ts";
import type { SystemDb, SystemTx, TenantTx } from "./data/tenant-db.ts";
import type { AllMeanings, By, PanelEvent } from "./event-meaning.ts";
import type { Language } from "./languages.ts";

/**
 * What the kernel and the host give every feature of the panel; it names no feature. It has no database either: handlers are
 * given that of their own workspace with the actor, and the few features that look across workspaces say so in their needs.
 */
export interface PanelBase {
  config: PanelConfig;
  /** Version of the running program. */
  version: string;
  /** Folder with what the program carries. */
  embedRoot: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  /** False while another panel may have taken over the database: nodes are told nothing then. */
  isCurrent(): boolean;
  /** Numbers in [0, 1), for jitter. */
  random: () => number;
  seal: Seal;
  /** Calls to places that people name, kept away from what only this machine can reach. */
  outgoing: Outgoing;
  /** The turns in which those are answered who ask for much; asked between the parts of an answer that grows with what there is. */
  takeTurn: TakeTurn;
  /** Who may have lost what they were let in by. */
  accessEnds: AccessEnds;
  /** The texts that a name has in the DNS. */
  askTexts: ResolveTexts;
  /** Every event, for those who write them down. A feature that emits says which events it knows: `bus: PanelBus<…>`. */
  bus: AnyTxBus<PanelTx, PanelEvent>;
  /** What every event means, as the features that emit them say. */
  meanings: AllMeanings;
  /** Background work that repeats. */
  jobs: Jobs;
  /** Aborts when the program stops. */
  signal: AbortSignal;
  /** What features add for others to read, which know nothing of them. */
  lists: PanelLists;
}

/** A transaction of either kind. */
export type PanelTx = TenantTx | SystemTx;

/** Where a feature tells its events, in the transaction of what they tell of. */
export type PanelBus<Events extends Record<string, PanelEvent>> = TxBus<Events, PanelTx, PanelEvent>;

/** The shared lists: filled while features are made, read while the program runs. */
export interface PanelLists {
  /** Where the names of things stand that have ids. */
  names: List<NameSource>;
  /** Where commands for nodes come from, and their results go. */
  commands: List<CommandSource>;
  /** Count the open incidents of workspaces; what is left out has none. */
  incidents: List<(db: SystemDb, tenantIds: readonly string[]) => Promise<ReadonlyMap<string, number>>>;
  /** Figures of the whole panel, for scrapers. */
  measures: List<() => Measure[] | Promise<Measure[]>>;
  /** What is sent by mail, and how it is written. */
  letters: List<LetterKind>;
  /** Tell which workspaces whoever has an address is in. */
  homes: List<(tx: SystemTx, address: string) => Promise<string[]>>;
  /**
   * Take off what speaks for an account or waits to change it, besides its factors and sessions, when whoever has it from now on may be
   * somebody else than who had it.
   */
  ways: List<(tx: SystemTx, accountId: string) => Promise<unknown>>;
  /** Tell by what a member could be brought in again, besides the addresses of their account, when somebody removes them. */
  marks: List<(tx: TenantTx, memberId: string) => Promise<Mark[]>>;
  /** End what waits to let somebody in, by any of their addresses, whose access ends or began in another way. */
  removals: List<(tx: TenantTx, removed: Removed) => Promise<unknown>>;
  /** Tell which workspace has proven that a domain of addresses is its own; null for none. */
  domains: List<(tx: SystemTx, domain: string) => Promise<string | null>>;
  /**
   * End what lets people, programs or servers into a workspace, or tells others of it, when its owner turns out to be somebody else than
   * who made it; each gives how much that was.
   */
  grants: List<(tx: SystemTx, ousted: Ousted) => Promise<number>>;
  /** What lets somebody in: an older database that is put back has again what was ended or used since. */
  admissions: List<Admission>;
  /** What is unread in workspaces. */
  unread: List<UnreadSource>;
  /** What workspaces hold, which keeps them from being deleted. */
  holdings: List<Holding>;
  /** What deleted nodes leave behind. */
  remains: List<Remains>;
  /** What accounts that nobody is in a workspace with any more leave behind. */
  accountRemains: List<AccountRemains>;
  /** Where things are found by a text. */
  searches: List<SearchSource>;
  /** Who else is asked for what has a text, and may be slow. */
  farSearches: List<FarSearch>;
  /** What changes while people look at it. */
  changes: List<ChangeSource>;
  /** What keeps rules of a workspace from having an effect. */
  hindrances: List<Hindrance>;
  /** Tell which versions a node or a workspace tries before others. */
  trials: List<(of: Trier) => Promise<string[]>>;
  /** Say of which workspace whoever sends a request is, for routes that are open to all; null for nobody. */
  callers: List<(request: Request) => Promise<string | null>>;
  /** Tell which workspace's directory a token is of. */
  directories: List<(token: string) => Promise<DirectoryCaller | null>>;
  /** Says whether a node has a session with the panel at this moment. */
  sessions: List<(nodeId: string) => boolean>;
}

/** Something by which a directory or a sign-on knows somebody. */
export interface Mark {
  /** An address, the name that a directory has for them where it is none, the directory's own id, who they are at a provider. */
  kind: "address" | "name" | "external_id" | "subject";
  /** As it is compared. */
  value: string;
}

/** Who may try versions before others: a node by its id, or all of a workspace. */
export type Trier = { node_id: string } | { tenant_id: string };

/** A directory that speaks for a workspace. */
export interface DirectoryCaller {
  token_id: string;
  tenant_id: string;
  workspace: string;
  is_suspended: boolean;
  /** Why it is let in no further for now; null when it is. */
  refusal: Error | null;
}

/** What one rule of a workspace needs to have an effect. */
export interface Hindrance {
  /** Its field in the settings of the workspace. */
  rule: string;
  /** What is missing and what to do about it, in sentences; null when nothing is. */
  reason(tenantId: string): Promise<string | null>;
}

/** Where the names of one kind of things stand, in the tables of a workspace. */
export interface NameSource {
  kind: string;
  /** A statement that selects the one name of the thing whose id the SQL expression `id` gives. */
  select(id: string): string;
  /** Whether those who search for a text look through these names too. */
  isSearched: boolean;
}

/** What a letter says. */
export interface LetterText {
  /** What it is written in. */
  language: Language;
  /** The name of the workspace that it speaks for; empty where it speaks for none. */
  workspace: string;
  subject: string;
  /** How the receiver is called. */
  greeting: string;
  paragraphs: readonly string[];
  /** The one thing to do, if any. */
  action: { label: string; url: string } | null;
  /** Why it came, and what to do if it should not have. */
  footer: string;
}

/** One kind of letters. */
export interface LetterKind {
  kind: string;
  /** It tells of something and nobody waits for it: it goes after all others, in turns with those of other workspaces. */
  isNotice?: true;
  /** Writes one when it is about to be sent, at each try anew; null when there is no reason for it any more. */
  write(address: string, facts: Record<string, unknown>): Promise<LetterText | null>;
  /** Told once the mail server has taken it, in the transaction that takes it out of the queue. */
  sent?(tx: SystemTx, address: string, facts: Record<string, unknown>): Promise<void>;
}

/** A workspace whose owner's account is another person's from now on. */
export interface Ousted {
  tenant_id: string;
  /** The owner's membership, the only one that stays. */
  member_id: string;
  /** Whose doing the end of everything else is. */
  by: By;
  /** The transaction as the workspace itself sees it. */
  own: TenantTx;
}

/** Somebody whose access ends, or began in another way than by what waits to let them in. */
export interface Removed {
  /** Whose doing it is. */
  by: By;
  /** What their account has and had, and what the workspace knew them by. */
  addresses: readonly string[];
}

/** A membership of whoever looks. */
export interface Reading {
  tenant_id: string;
  member_id: string;
  role: RoleName;
}

/** One kind of what lets people, programs or servers in. */
export interface Admission {
  /** One of them and several, as sentences name them. */
  words: readonly [one: string, several: string];
  /** The name by which an operator has it ended; null for what ends whenever an older database is put back. */
  asked: string | null;
  /** How many let somebody in at `now`, in milliseconds. */
  count(tx: SystemTx, now: number): Promise<number>;
  /** Ends all of them. Null where each is ended by itself: nobody may lose all of them at once. */
  end: ((tx: SystemTx, now: number) => Promise<unknown>) | null;
}

/** Something that people of a workspace should have seen. */
export interface UnreadSource {
  /** How much of it each of these members has not seen, by workspace; what is left out is nothing. */
  count(db: SystemDb, readings: readonly Reading[]): Promise<ReadonlyMap<string, number>>;
}

/** One kind of things that a workspace holds. */
export interface Holding {
  /** In the plural, as an error and the command line name it: `nodes`. */
  name: string;
  /** A statement that counts it for the workspace whose id the SQL expression `tenantId` gives. */
  count(tenantId: string): string;
  /** Keeps it from growing until the transaction ends: what is counted after that stays true. */
  keepStill?(tx: SystemTx): Promise<void>;
  /** Lets go of a workspace that is deleted, where others still know it. */
  release?(tx: SystemTx, tenantId: string): Promise<void>;
  /** Forgets what is in memory of a workspace whose last row is gone. */
  forget?(tenantId: string): void;
  /** Calls a workspace by its new name where memory has it; `parentId` is that of its service provider. */
  rename?(tenant: { id: string; parentId: string | null; name: string }): Promise<void>;
}

/** What is kept about accounts, besides their memberships. */
export interface AccountRemains {
  /** A statement that selects a row while an account, whose id the SQL expression gives, has a way in of its own. */
  needs?(id: string): string;
  /** Forgets what is kept about some of them, which are about to go. */
  clear?(tx: SystemTx, ids: readonly string[]): Promise<unknown>;
}

/** What is kept about nodes that are deleted. */
export interface Remains {
  /** A statement that selects a row while a node, whose workspace and id the SQL expressions give, may not be forgotten yet. */
  needs?(tenantId: string, id: string): string;
  /** Removes what is of no use once the node is forgotten, in the transaction that forgets it. */
  clear?(tx: SystemTx, node: { tenant_id: string; id: string; no: number }): Promise<void>;
}

/** Where things of one kind are found by a text. */
export interface SearchSource {
  /** What results call the kind: `nodes`, `workspaces`, … */
  source: string;
  /** What the caller may see of it and has the text, which is never empty; the best first, at most `limit`. */
  find(actor: Actor, text: string, limit: number): Promise<SearchHit[]>;
}

/** Where things are found that others hold, who answer when they answer. */
export interface FarSearch {
  /** Asks all of them for what the caller may see of the text, at most `limit` each. Aborting `signal` ends it. */
  ask(actor: Actor, text: string, limit: number, signal: AbortSignal): FarAnswer;
}

/** What others find. */
export interface FarAnswer {
  /** How many there are to ask. */
  asked: number;
  /** How many of them have not answered by now. */
  late(): number;
  /** What they have, as it comes; ends when all have answered or the signal aborts. */
  answers: AsyncIterable<FarHit[]>;
}

/** Something that was found. */
export interface SearchHit {
  id: string;
  title: string;
  /** One line that tells it from others of the same title. */
  snippet: string;
  /** The page of the dashboard that shows it. */
  path: string;
  icon: string;
}

/** Something that a node has. */
export interface FarHit extends SearchHit {
  source: string;
  /** The node's id. */
  origin_node: string;
  /** The page of the node's own dashboard that shows it. */
  node_path: string;
}

/** Something of a workspace that changes while people look at it. */
export interface ChangeSource {
  /** How pages name it: `fleet`, `notifications`, … */
  topic: string;
  /** Who lacks it is not told; null tells everybody who is signed in. */
  permission: Permission | null;
  /** Calls `tell` after each change that this member's pages may show, until the returned function is called. */
  onChange(member: Pick<Actor, "tenant_id" | "member_id">, tell: () => void): () => void;
}

/** Commands that wait for nodes. */
export interface CommandSource {
  /**
   * What waits for a node, in the order it is to be done; it is told again until its result came. That it was told is
   * durable once this resolves.
   */
  forNode(node: { nodeId: string; tenantId: string }): Promise<AgentCommand[]>;
  /** Takes what became of commands; durable once it resolves. */
  settle(node: { nodeId: string; tenantId: string }, results: readonly CommandResult[]): Promise<void>;
  /** Told when a command begins to wait for a node. Returns how to stop that. */
  onQueued(listener: (nodeId: string) => void): () => void;
}
