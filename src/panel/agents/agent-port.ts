import { hostname } from "node:os";
import { plainAddresses } from "../../kernel/host/addresses.ts";
import { hours } from "../../lib/duration.ts";
import type { PanelContext } from "../context.ts";
import { type AgentListener, startAgentListener } from "./agent-listener/index.ts";

/** The port that nodes talk to, with all that keeps it going. */
export interface AgentPort {
  /** Opens it. Throws when the port is taken. */
  start(): Promise<void>;
  /** The port in use; before `start` the configured one. */
  port(): number;
  /** Ends its connections. */
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8443;

/** A port that is not open yet. */
export function createAgentPort(
  ctx: Pick<PanelContext, "config" | "nodes" | "live" | "commands" | "clock" | "ids" | "log">,
): AgentPort {
  const { config, nodes, live, commands, clock, log } = ctx;
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
      const { host, port } = listenOn(config);
      await nodes.rotate();
      listener = await startAgentListener(
        {
          ...ctx,
          authority: nodes.authority(),
          directory: nodes.directory,
          handlers: nodes.handlers(live.heartbeat),
          wakes: commands,
        },
        { hostname: plainHost(host), port, names: agentNames(config), strangersPerSecond: config.enrol_rate },
      );
      live.useSessions(listener);
      stops = [commands.start(), clock.every(hours(1), () => void rotate())];
    },
    port: () => listener?.port ?? listenOn(config).port,
    async stop() {
      for (const stop of stops) stop();
      await listener?.stop();
    },
  };
}

/** Beside the dashboard unless told otherwise, also when that takes a free port. */
function listenOn({ agent_listen, listen }: PanelContext["config"]): { host: string; port: number } {
  return agent_listen ?? { host: listen.host, port: listen.port === 0 ? 0 : DEFAULT_PORT };
}

const plainHost = (host: string): string => host.replace(/^\[|\]$/g, "");

/**
 * Every name and address under which a node may reach the port; they stand in its certificate. Listening on all addresses,
 * the machine's own ones are among them, without those of one link: nobody can put their zone into a certificate.
 */
function agentNames(config: PanelContext["config"]): string[] {
  const { agent_names, public_url } = config;
  const host = plainHost(listenOn(config).host);
  const isAny = host === "0.0.0.0" || host === "::";
  const own = isAny ? [hostname(), ...plainAddresses().map(({ address }) => address)] : [host];
  const people = public_url === "" ? [] : [plainHost(new URL(public_url).hostname)];
  return [...new Set([...agent_names, ...people, "localhost", "127.0.0.1", ...own])];
}
