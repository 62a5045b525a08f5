import type { TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";
import { isOnServer } from "../apps/app-state.ts";

/** Who may reach an app: as it says itself, the server only, or everybody on the network. */
export type Publish = "default" | "loopback" | "lan";

/**
 * What the form starts with. A reader on another machine could not open an app that is on loopback, so the network is chosen,
 * unless the app is there anyway or asks for a port that nobody else may reach: the choice is for all ports at once.
 */
export function startPublish(
  ports: Pick<TemplateDetail["ports"][number], "publish">[],
  page?: Pick<Location, "hostname">,
): Publish {
  const isPrivate = ports.some(({ publish }) => publish === "loopback");
  const needsIt = ports.some(({ publish }) => publish === "proxy");
  return needsIt && !isPrivate && !isOnServer(page) ? "lan" : "default";
}

/** What a choice means for the reader; null where the words of the choice are enough. */
export function publishHint(publish: Publish, page?: Pick<Location, "hostname">): string | null {
  if (isOnServer(page)) return null;
  if (publish === "lan") {
    return "Everybody on your network can open it. You are on another machine than the server, so you need this too.";
  }
  if (publish === "loopback") return "It opens only in a browser on the server itself, not on this machine.";
  return null;
}
