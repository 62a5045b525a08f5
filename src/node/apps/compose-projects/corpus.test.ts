import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../lib/json.ts";
import { describeProblem, type ServiceSpec } from "../compose/index.ts";
import { aliasesOf, containerRequest, networkNameOf, type Target, volumeNameOf } from "./container-request.ts";
import { networkInput } from "./networks.ts";
import { readProject } from "./read-project.ts";

/** Files as people write them, each with what Docker is asked for it, or why it is refused. */
const CORPUS = join(import.meta.dir, "corpus");
const NAMES = readdirSync(CORPUS)
  .map((file) => file.replace(/\.yaml$/, ""))
  .sort();
/** Between a file and what is expected of it. */
const RULE = "\n--- # What Docker is asked.\n";

/** Before each further file of a project. */
const FURTHER = /^--- # file: (.*)\n/m;

const targetOf = (project: Target["project"]): Target => ({
  ...{ name: "shop", folder: "/data/compose/shop", node: "n1", digestKey: new Uint8Array(32) },
  project,
});

/** What is in one and not the same in the other. */
const beyond = (request: Record<string, unknown>, plain: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(request).filter(([key, value]) => !Bun.deepEquals(value, plain[key])));

const part = (request: Record<string, unknown>, key: string): Record<string, unknown> => {
  const value = request[key];
  return isRecord(value) ? value : {};
};

function plainRequest(): Record<string, unknown> {
  const read = readProject("shop", { file: "services: { plain: { image: plain } }", env: "", files: [] });
  if (read.kind === "refused" || !read.project.services[0]) throw new Error("the plainest file is refused");
  return containerRequest(targetOf(read.project), read.project.services[0]);
}

const isOwnLabel = (key: string): boolean => !/^(orrery|com\.docker\.compose)\./.test(key);

/** A request without what every container gets, and what the service gets besides. */
function askedFor(target: Target, service: ServiceSpec): Record<string, unknown> {
  const request = containerRequest(target, service);
  const plain = plainRequest();
  const { Labels: _, HostConfig, NetworkingConfig, ...rest } = request;
  const labels = Object.entries(part(request, "Labels")).filter(([key]) => isOwnLabel(key));
  const host = beyond(part(request, "HostConfig"), part(plain, "HostConfig"));
  const places = Object.fromEntries(
    service.networks.map(({ network }) => [networkNameOf(target, network), aliasesOf(service, network)]),
  );
  const isPlainPlace = Bun.deepEquals(places, { shop_default: [service.name] });
  const files = service.files.map(({ target: path, text, uid, gid, mode }) => [path, text, uid, gid, mode.toString(8)]);
  return {
    ...beyond(rest, plain),
    ...(service.containerName === null ? {} : { name: service.containerName }),
    ...(labels.length === 0 ? {} : { Labels: Object.fromEntries(labels) }),
    ...(Object.keys(host).length === 0 ? {} : { HostConfig: host }),
    ...(isPlainPlace ? {} : { networks: places }),
    ...(files.length === 0 ? {} : { files }),
  };
}

/** Everything that Docker is asked for a file and those that come with it, or the problems with their lines. */
function answerTo(written: string): Record<string, unknown> {
  const [file = "", ...further] = written.split(FURTHER);
  const env = [...file.matchAll(/^# env: (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
  const files = Array.from({ length: further.length / 2 }, (_, index) => ({
    path: further[index * 2] ?? "",
    text: further[index * 2 + 1] ?? "",
  }));
  const read = readProject("shop", { file, env, files });
  if (read.kind === "refused") return { refused: read.problems.map(describeProblem) };
  const target = targetOf(read.project);
  const networks = read.project.networks
    .filter(({ name, engineName }) => name !== "default" || engineName !== null)
    .map((spec) => {
      const { name, labels, ...input } = networkInput(target, spec);
      const own = Object.fromEntries(Object.entries(labels).filter(([key]) => isOwnLabel(key)));
      return spec.isExternal ? [name, "external"] : [name, { ...input, labels: own }];
    });
  const volumes = read.project.volumes.map((spec) => [
    volumeNameOf(target, spec.name),
    spec.isExternal ? "external" : { ...spec.driverOpts, ...spec.labels },
  ]);
  return {
    ...Object.fromEntries(read.project.services.map((service) => [service.name, askedFor(target, service)])),
    ...(networks.length === 0 ? {} : { networks: Object.fromEntries(networks) }),
    ...(volumes.length === 0 ? {} : { volumes: Object.fromEntries(volumes) }),
  };
}

test("the corpus is as large as it has to be", () => expect(NAMES.length).toBeGreaterThanOrEqual(60));

test.each(NAMES)("%s: what Docker is asked is what the file says, or the problem names its key and line", (name) => {
  const [file = "", expected] = readFileSync(join(CORPUS, `${name}.yaml`), "utf8").split(RULE);
  if (expected === undefined)
    throw new Error(`nothing is expected of it, and this is asked:\n${Bun.YAML.stringify(answerTo(file), null, 2)}`);
  const answer = answerTo(file);
  expect(answer).toEqual(Bun.YAML.parse(expected) as typeof answer);
  // The order is that of the starts.
  expect(Object.keys(answer)).toEqual(Object.keys(Bun.YAML.parse(expected) as typeof answer));
});

/** Every key that the schema of the Compose Specification knows of a service. */
const SPECIFIED =
  `annotations attach blkio_config build cap_add cap_drop cgroup cgroup_parent command configs container_name
  cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset credential_spec depends_on deploy
  develop device_cgroup_rules devices dns dns_opt dns_search domainname entrypoint env_file environment expose extends
  external_links extra_hosts gpus group_add healthcheck hostname image init ipc isolation label_file labels links logging
  mac_address mem_limit mem_reservation mem_swappiness memswap_limit models network_mode networks oom_kill_disable oom_score_adj
  pid pids_limit platform ports post_start pre_stop privileged profiles provider pull_policy pull_refresh_after read_only restart
  runtime scale secrets security_opt shm_size stdin_open stop_grace_period stop_signal storage_opt sysctls tmpfs tty ulimits
  use_api_socket user userns_mode uts volumes volumes_from working_dir`.split(/\s+/);

test.each(SPECIFIED)("%s of the Compose Specification is understood, or refused by its name", (key) => {
  // A value that no key takes: whoever understands the key says what is wrong with it.
  const image = key === "image" ? "" : "    image: app\n";
  const read = readProject("shop", {
    file: `services:\n  app:\n${image}    ${key}: { nonsense: [1] }\n`,
    env: "",
    files: [],
  });
  if (read.kind === "read") throw new Error(`nonsense below ${key} is taken`);
  expect(read.problems[0]?.key).toStartWith(`services.app.${key}`);
  expect(read.problems[0]?.line).toBe(key === "image" ? 3 : 4);
});
