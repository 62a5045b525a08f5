import { expect, test } from "bun:test";
import { parseCompose } from "../../compose/index.ts";
import type { Manifest } from "../../templates/index.ts";
import type { AppConfig } from "../contract.ts";
import type { PortRow } from "../store.ts";
import type { Blueprint } from "./blueprint.ts";
import { containerSpec, specDigest } from "./container-spec.ts";

const manifest: Manifest = JSON.parse(
  JSON.stringify({
    name: "demo",
    main: { service: "web", port: 80, path: "/" },
    ports: [],
    limits: { web: { memory_mb: 128, cpus: 0.5, pids: 64 } },
  }),
);

const PORT: PortRow = {
  app_id: "app_1",
  service: "web",
  container: 80,
  protocol: "tcp",
  host: 8080,
  bind: "127.0.0.1",
  purpose: "Web",
};

function blueprint(compose: string, config: AppConfig = {}, ports = [PORT]): Blueprint {
  const project = parseCompose(compose, { file: "compose.yaml", variables: {}, ports: "refuse" });
  const app = { id: "app_1", name: "demo", generation: 0 };
  return { app: app as Blueprint["app"], config, manifest, project, ports };
}

function specOf(compose: string, config?: AppConfig, ports?: PortRow[]) {
  const made = blueprint(compose, config, ports);
  const [service] = made.project.services;
  if (!service) throw new Error("no service");
  // As it goes over the wire.
  return JSON.parse(JSON.stringify(containerSpec(made, service, "image@sha256:1", "node1")));
}

const FULL = `
services:
  web:
    image: nginx:1
    command: ["serve", "--fast"]
    entrypoint: []
    environment: {A: "1", B: "two words"}
    user: "1000:1000"
    volumes: ["data:/data", "/etc/localtime:/etc/localtime:ro"]
    tmpfs: ["/tmp"]
    restart: on-failure:3
    cap_drop: [ALL]
    read_only: true
    stop_grace_period: 90s
    init: true
    healthcheck: {test: [CMD, true], interval: 5s, timeout: 2s, retries: 4, start_period: 1m}
    labels: {com.example: "yes"}
volumes: {data: {}}
`;

test("a service becomes a container of the same meaning", () => {
  const spec = specOf(FULL);
  expect(spec).toMatchObject({
    Image: "image@sha256:1",
    Cmd: ["serve", "--fast"],
    Entrypoint: [""],
    Env: ["A=1", "B=two words"],
    User: "1000:1000",
    StopTimeout: 90,
    ExposedPorts: { "80/tcp": {} },
    Healthcheck: { Test: ["CMD", "true"], Interval: 5e9, Timeout: 2e9, Retries: 4, StartPeriod: 60e9 },
    Labels: { "com.example": "yes", "orrery.app": "app_1", "orrery.node": "node1", "orrery.service": "web" },
  });
  expect(spec.HostConfig).toMatchObject({
    PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: "8080" }] },
    RestartPolicy: { Name: "on-failure", MaximumRetryCount: 3 },
    Memory: 128 * 1_048_576,
    MemorySwap: 128 * 1_048_576,
    NanoCpus: 500_000_000,
    PidsLimit: 64,
    NetworkMode: "orrery-demo",
    SecurityOpt: ["no-new-privileges:true"],
    CapDrop: ["ALL"],
    ReadonlyRootfs: true,
    Init: true,
    LogConfig: { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } },
  });
  expect(spec.HostConfig.Mounts).toMatchObject([
    { Type: "volume", Source: "orrery-app_1-data", Target: "/data", ReadOnly: false },
    { Type: "bind", Source: "/etc/localtime", Target: "/etc/localtime", ReadOnly: true },
    { Type: "tmpfs", Target: "/tmp" },
  ]);
  expect(spec.NetworkingConfig.EndpointsConfig["orrery-demo"].Aliases).toEqual(["web"]);
});

const PLAIN = "services:\n  web:\n    image: nginx:1\n";

test("what a file does not say is left to the image", () => {
  const spec = specOf(PLAIN);
  for (const key of ["Cmd", "Entrypoint", "User", "WorkingDir", "Hostname", "StopSignal", "StopTimeout", "Healthcheck"])
    expect([key, key in spec]).toEqual([key, false]);
});

test("the admin's limits win over the manifest's", () => {
  expect(specOf(PLAIN, { limits: { web: { memory_mb: 512 } } }).HostConfig).toMatchObject({
    Memory: 512 * 1_048_576,
    NanoCpus: 500_000_000,
  });
});

test("the digest moves with everything that a container is made of, and with nothing else", () => {
  const digest = specDigest(specOf(PLAIN));
  expect(digest).toHaveLength(32);
  expect(specDigest(specOf(PLAIN))).toBe(digest);
  expect(specDigest(specOf(PLAIN, {}, [{ ...PORT, host: 8081 }]))).not.toBe(digest);
  expect(specDigest(specOf(`${PLAIN}    environment: {A: "1"}\n`))).not.toBe(digest);
  expect(specDigest(specOf(PLAIN, { permissions: ["docker_socket"] }))).toBe(digest);
});

test("a service on the server's network publishes nothing and joins no other", () => {
  const spec = specOf("services: {web: {image: nginx:1, network_mode: host}}");
  expect(spec.HostConfig).toMatchObject({ NetworkMode: "host", PortBindings: {} });
  expect([spec.ExposedPorts, spec.NetworkingConfig]).toEqual([{}, undefined]);
});
