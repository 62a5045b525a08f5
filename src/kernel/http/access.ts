import { type AnyElysia, Elysia } from "elysia";
import type { Clock } from "../../lib/clock.ts";
import { createFairTurns, type TakeTurn, type Whose } from "../../lib/fair-turns.ts";
import { type Standing, whileAnswering } from "../../lib/standing.ts";
import { createTurnstile } from "../../lib/turnstile.ts";
import type { AccessChanges } from "./access-changes.ts";
import { asStranger, createBodyIntake } from "./body-intake.ts";
import { kernelFail } from "./errors.ts";
import { BODY_LIMIT_BYTES, BODY_VALUES, readJsonBody } from "./json-body.ts";
import { describePeer, networksAround, type Peer, type PeerContext } from "./peer.ts";
import { noteRight } from "./right-to-read.ts";
import { tooManyRequests } from "./too-many-requests.ts";
import { readBy } from "./unread-answers.ts";

/**
 * What a route asks of its caller. Frozen data: published in OpenAPI, printed by `routes`, tested as a matrix. The kinds
 * are the program's own (`access.ts` of the node and of the panel); the kernel has only the open one.
 */
export interface AnyRule {
  readonly kind: string;
}

/** Lets everybody through. */
export type OpenRule = Readonly<{ kind: "open" }>;

/** Anyone, without credentials. */
export const open = (): OpenRule => Object.freeze({ kind: "open" });

/** What the kernel has to know of one kind of rule; what such a rule means, only the program's `authorize` knows. */
export interface RuleKind<R> {
  /** A rule in words, as `routes` prints it and the reviewed list keeps it. */
  print(rule: R): string;
  /** What a caller can bring to satisfy it, as OpenAPI words it; nothing where nobody is asked. */
  schemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** All kinds of rules of a program. */
export type RuleKinds<R extends AnyRule> = { readonly [K in R["kind"]]: RuleKind<Extract<R, { kind: K }>> };

/** The caller of a request as far as the kernel knows it. */
export interface Caller {
  request: Request;
  /** Address of the other end, proxies that we trust taken off. */
  ip: string;
  /**
   * Set when a rule is decided again: for an answer that lasts or a change that had to wait, because what let somebody in may have ended
   * while a body was read, or for an answer that was made already and is on its way.
   */
  again?: "lasting" | "read" | "sent";
}

/** Decides a rule for a caller; throws AppError to refuse. */
export type Authorize<Actor, R extends AnyRule> = (caller: Caller, rule: R) => Promise<Actor>;

/** Decides a rule anew for somebody who was let in by it, at once; throws AppError where what let them in has ended. */
export type AskAgain<Actor, R extends AnyRule> = (actor: Actor, caller: Caller, rule: R) => void;

/** Requests with a body that are begun in one turn of the event loop: of a crowd the rest wait, and who only asks goes in between. */
const BODIES_PER_TURN = 4;
/** Bodies that one account or network may have on their way at a time; an ordinary one is a thousandth of the limit. */
const EACH_BYTES = 8 * BODY_LIMIT_BYTES;
/** What all of them may have: hundreds of addresses are cheap to come by. */
const BODIES_BYTES = 32 * BODY_LIMIT_BYTES;

const rechecks = new WeakMap<Request, () => Promise<boolean>>();

/**
 * Decides a request's rule anew, for answers that last: a stream must not outlive the token, the role or the account that
 * opened it. True for requests that met no rule.
 */
export async function isStillAllowed(request: Request): Promise<boolean> {
  return (await rechecks.get(request)?.()) ?? true;
}

/** For whoever sent a body slowly, which their handler has read itself. Throws `unauthorized` when what let them in has ended meanwhile. */
export async function requireStillAllowed(request: Request): Promise<void> {
  if (!(await isStillAllowed(request))) throw kernelFail("unauthorized");
}

/** Methods that change nothing for whoever asks. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND"]);

const standings = new WeakMap<Request, { standing: Standing; since: number }>();

/**
 * What answers a route of this method, so that nothing is changed in the database for somebody whose access ended since the guard let them
 * in. Reads are answered as they are.
 */
export function whileLetIn<Asked extends { request: Request }>(
  method: string,
  answer: (asked: Asked) => unknown,
): (asked: Asked) => unknown {
  if (READS.has(method)) return answer;
  return async (asked) => {
    const known = standings.get(asked.request);
    return known ? whileAnswering(known.standing, known.since, () => answer(asked)) : answer(asked);
  };
}

/**
 * The one guard of the system, put before every route when it is mounted. `{ access: admin("apps") }` on a route checks the rule before
 * the body is read and before validation (so that an anonymous caller never learns what a valid body looks like) and hands `actor`,
 * `ip` and `isHttps` to the handler. Bodies are JSON unless the route sets `parse`. `whoseOf` says for whom an actor acts: where much
 * is asked, all of them are answered in fair turns, which a program may share with what it answers elsewhere. With `askAgain` what somebody
 * changes is refused once their access has ended.
 */
export function accessPlugin<Actor, R extends AnyRule>(
  authorize: Authorize<Actor, R>,
  trustedProxies: readonly string[],
  clock: Pick<Clock, "after" | "monotonic">,
  accessChanges: Pick<AccessChanges, "epoch"> = { epoch: () => 0 },
  whoseOf: (actor: Actor) => Whose | null = () => null,
  takeTurn: TakeTurn = createFairTurns(clock),
  askAgain: AskAgain<Actor, R> | null = null,
) {
  /** Who was let in, as what, and in which epoch that was asked. */
  type LetIn = Peer & { actor: Actor; since: number };
  const pass = createTurnstile(BODIES_PER_TURN);
  const readWithin = createBodyIntake(clock, { each: EACH_BYTES, all: BODIES_BYTES });
  const decided = new WeakMap<Request, Promise<LetIn>>();
  const decide = (context: PeerContext, rule: R): Promise<LetIn> => {
    const known = decided.get(context.request);
    if (known) return known;
    const peer = describePeer(context, trustedProxies);
    const ask = (again?: "lasting") =>
      authorize({ request: context.request, ip: peer.ip, ...(again === undefined ? {} : { again }) }, rule);
    const since = accessChanges.epoch();
    const decision = ask().then((actor) => {
      readBy(context.request, () => {
        const whose = whoseOf(actor);
        return { isStranger: whose === null, path: whose ?? networksAround(peer.ip) };
      });
      return { actor, since, ...peer };
    });
    decided.set(context.request, decision);
    // What lasts may be another thing for who has a greater role: it ends with that role, as what they change does.
    const recheck = async () => {
      await ask("lasting");
      const { actor: was } = await decision;
      askAgain?.(was, { request: context.request, ip: peer.ip, again: "lasting" }, rule);
    };
    rechecks.set(context.request, () =>
      recheck().then(
        () => true,
        () => false,
      ),
    );
    return decision;
  };
  /** Whose a body is. Of those whose credentials were looked at no crowd of strangers takes the room. */
  function senderOf({ actor, ip }: LetIn): readonly string[] {
    const whose = whoseOf(actor);
    return whose === null ? asStranger(ip) : [whose[0], whose.join("\n")];
  }
  /** Requests that had their turn when their body was there. */
  const turned = new WeakSet<Request>();
  /** Waits for the turn of whoever asks, and gives what they are then. */
  async function waitForTurn(request: Request, { actor, ip }: LetIn, rule: R): Promise<Actor> {
    // Strangers are one group: networks are cheap to come by, and each new one would go before whoever is signed in.
    const turn = takeTurn(whoseOf(actor) ?? ["", ...networksAround(ip)]);
    if (turn === undefined) return actor;
    const before = accessChanges.epoch();
    if (turn === null || !(await turn)) throw tooManyRequests(1);
    return accessChanges.epoch() === before ? actor : authorize({ request, ip, again: "read" }, rule);
  }

  return new Elysia({ name: "access" }).macro({
    access: (rule: R) => ({
      detail: { "x-access": rule } as never,
      parse: async ({ request, server }) => {
        await pass(() => networksAround(describePeer({ request, server }, trustedProxies).ip));
        const known = await decide({ request, server }, rule);
        const { ip } = known;
        const before = accessChanges.epoch();
        let { actor } = known;
        const body = await readWithin(senderOf(known), (take) =>
          readJsonBody(request, {
            take,
            // What a body takes to be parsed and looked through counts for who sent it, also where it is refused then.
            mayParse: async () => {
              turned.add(request);
              actor = await waitForTurn(request, known, rule);
            },
            mostValues: rule.kind === "open" ? BODY_VALUES.ofStrangers : BODY_VALUES.ofOthers,
          }),
        );
        // Whoever sends a body slowly must not act with what was taken from them meanwhile.
        if (accessChanges.epoch() !== before) actor = await authorize({ request, ip, again: "read" }, rule);
        if (actor !== known.actor) decided.set(request, Promise.resolve({ ...known, actor }));
        return body;
      },
      transform: async ({ request, server }) => {
        await decide({ request, server }, rule);
      },
      resolve: async ({ request, server }) => {
        const known = await decide({ request, server }, rule);
        const { ip, isHttps, since } = known;
        const actor = turned.has(request) ? known.actor : await waitForTurn(request, known, rule);
        if (askAgain) {
          const { epoch } = accessChanges;
          const ask = (again: "lasting" | "sent") => () => askAgain(actor, { request, ip, again }, rule);
          noteRight(request, { epoch, monotonic: clock.monotonic, since, ask: ask("sent") });
          if (!READS.has(request.method)) standings.set(request, { standing: { epoch, ask: ask("lasting") }, since });
        }
        return { actor, ip, isHttps };
      },
    }),
  });
}

/** Spread into a route whose handler reads the body itself; nothing is read before it. */
export const UPLOAD = { parse: "none" as const };

/** Rule of a mounted route, or null when it has none (which stops the boot). */
export function ruleOf(route: AnyElysia["routes"][number]): AnyRule | null {
  const detail: unknown = route.hooks?.detail;
  if (typeof detail !== "object" || detail === null || !("x-access" in detail)) return null;
  return detail["x-access"] as AnyRule;
}
