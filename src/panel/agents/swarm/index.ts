/** Simulated nodes: they enrol, speak and fail as real ones do, over the same port, for tests, benches and operators. */
export { enrolNodes } from "./enrol.ts";
export { loadSwarm, type SavedSwarm, saveSwarm } from "./saved-nodes.ts";
export { parseShares, SCENARIOS } from "./scenarios.ts";
export { runSwarm, type SwarmSummary } from "./swarm.ts";
