/** Simulated nodes: they enrol, speak and fail as real ones do, over the same port, for tests, benches and operators. */
export { swarmCommand } from "./command.ts";
export { type SavedSwarm, saveSwarm } from "./saved-nodes.ts";
export type { SwarmSummary } from "./swarm.ts";
