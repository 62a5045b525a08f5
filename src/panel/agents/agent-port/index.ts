/** Agent port: where nodes talk to the panel, with all that keeps it going. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import { type AgentListener, type NodeStreams, startAgentListener } from "../agent-listener/index.ts";
import { agentNames, listenOn } from "./names.ts";
import type { Needs } from "./needs.ts";

/** How soon a change by the command line is in force. */
const FOLLOW_EVERY_MS = seconds(5);

export const agentPortFeature = defineFeature({ name: "agent-port" });

export { type NodeStream, type NodeStreams, StreamEnded } from "../agent-listener/index.ts";

export interface AgentPort extends Part, NodeStreams {
  /** The port in use; before `start` the configured one. */
  port(): number;
  /** Opens it. Throws when the port is taken. */
  start(): Promise<void>;
  /** Ends its connections. */
  stop(): Promise<void>;
}

/** A port that is not open yet. */
export function createAgentPort(needs: Needs): AgentPort {
  const { config, lists, nodes, live, clock, ids, log } = needs;
  let listener: AgentListener | null = null;
  let stops: (() => void)[] = [];

  async function rotate(): Promise<void> {
    try {
      if (await nodes.rotate()) listener?.refresh();
    } catch (error) {
      log.error("the certificate authority could not be looked after", { error });
    }
  }

  /** The operator changes the authority beside us. */
  async function follow(): Promise<void> {
    try {
      if (await nodes.authority().refresh()) listener?.refresh();
    } catch (error) {
      log.warn("changes of the certificate authority could not be asked for", { error });
    }
  }

  /** Tells when a command begins to wait, wherever it comes from. */
  function onQueued(tell: (nodeId: string) => void): () => void {
    const stops = lists.commands.all().map((source) => source.onQueued(tell));
    return () => {
      for (const stop of stops) stop();
    };
  }

  lists.sessions.add((nodeId) => listener?.hasSession(nodeId) === true);
  return {
    feature: agentPortFeature,
    async start() {
      const { host, port } = listenOn(config);
      await nodes.rotate();
      listener = await startAgentListener(
        {
          ...{ clock, ids, log },
          authority: nodes.authority(),
          directory: nodes.directory,
          handlers: nodes.handlers(live.heartbeat),
          wakes: { onQueued },
        },
        { hostname: host, port, names: agentNames(config), strangersPerSecond: config.enrol_rate },
      );
      stops = [clock.every(hours(1), () => void rotate()), clock.every(FOLLOW_EVERY_MS, () => void follow())];
    },
    streamState: (...asked) => listener?.streamState(...asked) ?? "offline",
    openStream: (...asked) => listener?.openStream(...asked) ?? null,
    port: () => listener?.port ?? listenOn(config).port,
    async stop() {
      for (const stop of stops) stop();
      await listener?.stop();
    },
  };
}
