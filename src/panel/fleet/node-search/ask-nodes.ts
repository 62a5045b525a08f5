import { TypeCompiler } from "@sinclair/typebox/compiler";
import { createChannel } from "../../../lib/channel.ts";
import { seconds } from "../../../lib/duration.ts";
import { createSharedPlaces } from "../../../lib/shared-places.ts";
import {
  NODE_HITS_MAX,
  type NodeHit,
  SEARCH_SERVICE,
  SearchStreamBatch,
  type SearchStreamParams,
} from "../../../shared/agent-protocol/index.ts";
import { holds } from "../../access.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { StreamEnded } from "../../agents/agent-port/index.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import type { FarAnswer, FarHit, FarSearch } from "../../base.ts";
import { showHits } from "./hits.ts";
import type { Needs } from "./needs.ts";

/** A larger fleet has the rest of its nodes left out, and says so. */
const ASKED_MAX = 500;
/** What all of them together may find; the rest is not waited for. */
const HITS_MAX = 200;
/** Each asks hundreds of nodes, and is over in seconds. */
const PER_ACCOUNT = 5;
const PER_WORKSPACE = 20;
/** Most are over within a second: whoever takes longer makes room for somebody who searches nothing yet. */
const IN_ALL = { size: 50, fairMs: seconds(1) };

const NO_ANSWER = { code: "agent_garbled", message: "The node sent something that is no answer to a search." };

const batches = TypeCompiler.Compile(SearchStreamBatch);

/** Has the nodes search themselves. One that is slow or says what is no answer costs the others nothing. */
export function createAsker({
  agentPort,
  live,
  log,
  clock,
}: Pick<Needs, "agentPort" | "live" | "log" | "clock">): FarSearch {
  const places = createSharedPlaces(clock, IN_ALL);

  function ableOf(actor: Actor): NodeFacts[] {
    // What somebody is in the workspace: staff see nothing more of a server than they were let in for.
    if (!holds(actor.role, "fleet:read")) return [];
    const isAble = ({ id }: NodeFacts): boolean => {
      const state = agentPort.streamState(id, actor.tenant_id, SEARCH_SERVICE);
      return state === "ready" || state === "full";
    };
    return live.fleetOf(actor).nodes().filter(isAble);
  }

  return {
    ask(actor, text, limit, signal) {
      const able = ableOf(actor);
      if (able.length === 0) return { asked: 0, late: () => 0, answers: nothing() };
      const place = places.take(limitsOf(actor));
      if (place.full !== null) return { asked: able.length, late: () => able.length, answers: nothing() };
      const { account_id, role } = actor;
      const params = { text, person: { account_id, role }, limit: Math.min(limit, NODE_HITS_MAX) };
      return askAll(able, place, (node, over) => readHits(agentPort, actor, node, params, over));

      function askAll(
        nodes: readonly NodeFacts[],
        { lost, give }: { lost: AbortSignal; give(): void },
        read: (node: NodeFacts, over: AbortSignal) => AsyncIterable<NodeHit[]>,
      ): FarAnswer {
        const enough = new AbortController();
        const over = AbortSignal.any([signal, lost, enough.signal]);
        const found = createChannel<FarHit[]>(HITS_MAX, signal);
        let waiting = nodes.length;
        let room = HITS_MAX;
        const one = async (node: NodeFacts): Promise<void> => {
          const show = showHits(node, text);
          try {
            for await (const hits of read(node, over)) {
              const taken = show(hits).slice(0, room);
              room -= taken.length;
              if (taken.length > 0) found.push(taken);
              if (room === 0) enough.abort();
            }
            if (!over.aborted) waiting -= 1;
          } catch (error) {
            if (!(error instanceof StreamEnded)) log.error("a search of a node broke", { node: node.id, error });
          }
        };
        void Promise.allSettled(nodes.slice(0, ASKED_MAX).map(one)).then(() => {
          give();
          found.close();
        });
        return { asked: nodes.length, late: () => waiting, answers: found };
      }
    },
  };
}

async function* nothing(): AsyncGenerator<never> {}

const limitsOf = (actor: Actor) => [
  { key: `account ${countedAs(actor)}`, most: PER_ACCOUNT },
  { key: `workspace ${actor.tenant_id}`, most: PER_WORKSPACE },
];

/**
 * What a node finds, until it has told everything. Throws `StreamEnded` when it cannot be asked, is lost or says what is no answer;
 * ends early when `over` aborts.
 */
async function* readHits(
  agentPort: Needs["agentPort"],
  actor: Actor,
  { id }: NodeFacts,
  params: SearchStreamParams,
  over: AbortSignal,
): AsyncGenerator<NodeHit[]> {
  const request = { service: SEARCH_SERVICE, params, use: "searches", reader: countedAs(actor) } as const;
  const stream = over.aborted ? null : agentPort.openStream(id, actor.tenant_id, request);
  if (stream === null) throw new StreamEnded(NO_ANSWER);
  const close = () => stream.close();
  over.addEventListener("abort", close, { once: true });
  let room = params.limit;
  try {
    for await (const data of stream.items) {
      // One without anything in it is none: it would go on for ever.
      if (!batches.Check(data) || data.hits.length === 0) throw new StreamEnded(NO_ANSWER);
      yield data.hits.slice(0, room);
      room -= data.hits.length;
      if (room <= 0) return;
    }
  } finally {
    over.removeEventListener("abort", close);
    close();
  }
}
