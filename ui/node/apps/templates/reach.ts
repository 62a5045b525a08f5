import type { AppConfig, Reach } from "../../../../src/node/apps/apps/contract.ts";
import type { TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";

/**
 * The choice for the pages of an app: a database beside it that only this server may reach stays where it is. An app
 * without pages has nothing else to choose for.
 */
export function reachOfPorts(
  ports: Pick<TemplateDetail["ports"][number], "service" | "container" | "publish">[],
  reach: Reach,
): NonNullable<AppConfig["reach"]> {
  const pages = ports.filter(({ publish }) => publish === "proxy");
  const chosen = pages.length > 0 ? pages : ports;
  return Object.fromEntries(chosen.map(({ service, container }) => [`${service}:${container}`, reach]));
}
