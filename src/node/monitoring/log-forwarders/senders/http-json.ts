import type { HttpConfig } from "../contract.ts";
import { createPoster } from "./post-lines.ts";
import type { Sender, SenderPorts } from "./sender.ts";

/** Posts lines as JSON to any place that takes it. */
export function createHttpSender(ports: SenderPorts, config: HttpConfig, secret: string | null): Sender {
  const post = createPoster(ports, config.ca, secret);
  const own = secret === null ? {} : { [(config.header ?? "authorization").toLowerCase()]: secret };
  return {
    settleMs: 0,
    isStanding: () => true,
    send: (lines, id) =>
      post(config.url, { ...own, "x-orrery-batch": id }, JSON.stringify({ server: ports.server(), lines })),
    close: () => {},
  };
}
