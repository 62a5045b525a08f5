import { hostname, networkInterfaces } from "node:os";
import { hours } from "../lib/duration.ts";
import { type AgentListener, startAgentListener } from "./agent-listener/index.ts";
import type { PanelContext } from "./context.ts";
import { createSeen } from "./features/nodes/index.ts";

/** The port that nodes talk to, with all that keeps it going. */
export interface AgentPort {
  /** Opens it. Throws when the port is taken. */
  start(): Promise<void>;
  /** The port in use; before `start` the configured one. */
  port(): number;
  /** Ends its connections and writes down what they left. */
  stop(): Promise<void>;
}

/** A port that is not open yet. */
export function createAgentPort(
  ctx: Pick<PanelContext, "config" | "nodes" | "system" | "clock" | "ids" | "log">,
): AgentPort {
  const { config, nodes, clock, log } = ctx;
  const seen = createSeen(ctx, nodes.directory);
  let listener: AgentListener | null = null;
  let stops: (() => void)[] = [];

  async function rotate(): Promise<void> {
    try {
      if (await nodes.rotate()) listener?.refresh();
    } catch (error) {
      log.error("the certificate authority could not be looked after", { error });
    }
  }

  return {
    async start() {
      const { host, port } = config.agent_listen;
      await nodes.rotate();
      listener = await startAgentListener(
        { ...ctx, authority: nodes.authority(), directory: nodes.directory, handlers: nodes.handlers(seen.take) },
        { hostname: plainHost(host), port, names: agentNames(config), strangersPerSecond: config.enrol_rate },
      );
      stops = [seen.start(), clock.every(hours(1), () => void rotate())];
    },
    port: () => listener?.port ?? config.agent_listen.port,
    async stop() {
      for (const stop of stops) stop();
      await listener?.stop();
      await seen.flush();
    },
  };
}

const plainHost = (host: string): string => host.replace(/^\[|\]$/g, "");

/**
 * Every name and address under which a node may reach the port; they stand in its certificate. Listening on all addresses,
 * the machine's own ones are among them.
 */
function agentNames({ agent_names, agent_listen, public_url }: PanelContext["config"]): string[] {
  const host = plainHost(agent_listen.host);
  const isAny = host === "0.0.0.0" || host === "::";
  const own = isAny ? [hostname(), ...ownAddresses()] : [host];
  const people = public_url === "" ? [] : [plainHost(new URL(public_url).hostname)];
  return [...new Set([...agent_names, ...people, "localhost", "127.0.0.1", ...own])];
}

/** Without those that hold on one link only: nobody can put their zone into a certificate. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.map(({ address }) => address).filter((address) => !address.startsWith("fe80:"));
}
