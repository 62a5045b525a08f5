import { bad, type Finding, ok } from "../../kernel/service/finding.ts";
import type { Host } from "../../kernel/service/host.ts";
import { isRecord } from "../../lib/json.ts";

/** Oldest Docker API that apps can be run with: Engine 20.10. */
const OLDEST_API = [1, 41];

/** Doctor's look at the Docker Engine: there, answering, new enough. */
export async function checkDocker(host: Host, env: Record<string, string>): Promise<Finding> {
  const socket = env["ORRERY_DOCKER_SOCKET"] ?? "/var/run/docker.sock";
  const title = "Docker";
  if (host.stat(socket) === null)
    return bad(
      "docker",
      title,
      `${socket} is missing`,
      "Install Docker Engine, for example: apt-get install docker.io",
    );
  const answer = await host.get("http://docker/version", { unix: socket, timeoutMs: 5000 });
  if (answer?.status !== 200 || !isRecord(answer.body))
    return bad(
      "docker",
      title,
      `nothing answers on ${socket}`,
      "systemctl start docker; then: journalctl -u docker -n 50",
    );
  const version = String(answer.body["Version"]);
  const api = String(answer.body["ApiVersion"]);
  if (isOlder(api))
    return bad("docker", title, `version ${version} is too old`, "Upgrade Docker Engine to 20.10 or newer.");
  return ok("docker", title, `version ${version} answers`);
}

function isOlder(api: string): boolean {
  const [major = 0, minor = 0] = api.split(".").map(Number);
  const [needMajor = 0, needMinor = 0] = OLDEST_API;
  return major < needMajor || (major === needMajor && minor < needMinor);
}
