/** Agents: the programs on the servers, how they enrol and speak, and what is known of them at this moment and before. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import type { PanelFeature } from "../event-meaning.ts";
import { agentPortFeature, createAgentPort } from "./agent-port/index.ts";
import { createLive, liveFeature } from "./live/index.ts";
import type { Needs as LiveNeeds } from "./live/needs.ts";
import { createNodes, nodesFeature } from "./nodes/index.ts";
import type { Needs as NodeNeeds } from "./nodes/needs.ts";
import { type CaNeeds, createCaCommand } from "./pki/index.ts";
import { createSamples, samplesFeature } from "./samples/index.ts";
import type { Needs as SampleNeeds } from "./samples/needs.ts";
import { swarmCommand } from "./swarm/index.ts";

/** The static halves of the area, in boot order. */
export const agentFeatures = [
  nodesFeature,
  samplesFeature,
  liveFeature,
  agentPortFeature,
] as const satisfies readonly PanelFeature[];

/** The verbs that the area gives the command line. */
export const agentCommands = (data: DataAccess<CaNeeds>): readonly Command[] => [createCaCommand(data), swarmCommand];

/** What the area makes itself. */
type Made = "samples" | "live";

type Needs = Omit<LiveNeeds & NodeNeeds & SampleNeeds, Made>;

/** Makes the features of the area. */
export function wireAgents(base: Needs) {
  const samples = createSamples(base);
  const live = createLive({ ...base, samples });
  const nodes = createNodes({ ...base, live });
  const agentPort = createAgentPort({ ...base, nodes, live });
  // In boot order: the figures that `live` brings back are those of the nodes that `nodes` has told it of. The port is opened
  // when whoever answers nodes is there, in the areas above too.
  return { samples, live, nodes, agentPort, parts: [nodes, samples, live] satisfies readonly Part[] };
}
