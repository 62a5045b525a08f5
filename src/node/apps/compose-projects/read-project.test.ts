import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { containerRequest, type Target } from "./container-request.ts";
import { listDangers } from "./dangers.ts";
import { listNotes } from "./notes.ts";
import { readProject } from "./read-project.ts";

const read = (file: string, env = "", files: { path: string; text: string }[] = []) =>
  readProject("shop", { file, env, files });

function readWell(file: string, env = "") {
  const found = read(file, env);
  if (found.kind === "refused") throw new Error(JSON.stringify(found.problems));
  return found.project;
}

const targetOf = (project: Target["project"]): Target => ({
  ...{ name: "shop", folder: "/data/compose/shop", node: "n1", digestKey: new Uint8Array(32) },
  project,
});

/** What Docker is asked for the first service of a file. */
function requestOf(file: string, env = ""): Record<string, unknown> {
  const project = readWell(file, env);
  const target = targetOf(project);
  const [service] = project.services;
  if (!service) throw new Error("there is no service");
  const { Labels: _, ...request } = containerRequest(target, service);
  return request;
}

const host = (file: string) => requestOf(file)["HostConfig"];
const one = (lines: string) => `services:\n  web:\n    image: nginx:1.29\n${lines.replace(/^/gm, "    ")}\n`;

describe("what a file says is what Docker is asked", () => {
  test.each([
    ["command as words", one('command: ["nginx", "-g", "daemon off;"]'), { Cmd: ["nginx", "-g", "daemon off;"] }],
    ["command as a line", one("command: nginx -g 'daemon off;'"), { Cmd: ["nginx", "-g", "daemon off;"] }],
    ["an empty entry point", one("entrypoint: []"), { Entrypoint: [""] }],
    ["environment as a map", one("environment:\n  A: 1\n  B: two"), { Env: ["A=1", "B=two"] }],
    ["environment as a list", one("environment:\n  - A=1\n  - B=two=2"), { Env: ["A=1", "B=two=2"] }],
    [
      "user, folder, host name",
      one("user: '1000'\nworking_dir: /srv\nhostname: web1"),
      {
        User: "1000",
        WorkingDir: "/srv",
        Hostname: "web1",
      },
    ],
    [
      "how it is stopped",
      one("stop_signal: SIGQUIT\nstop_grace_period: 1m30s"),
      { StopSignal: "SIGQUIT", StopTimeout: 90 },
    ],
    [
      "a check of its own",
      one("healthcheck:\n  test: curl -f localhost\n  interval: 30s\n  retries: 4"),
      {
        Healthcheck: expect.objectContaining({ Test: ["CMD-SHELL", "curl -f localhost"], Interval: 30e9, Retries: 4 }),
      },
    ],
    ["no check", one("healthcheck:\n  disable: true"), { Healthcheck: { Test: ["NONE"] } }],
    ["a terminal", one("tty: true"), { Tty: true }],
  ])("%s", (_, file, expected) => {
    expect(requestOf(file)).toMatchObject(expected);
  });

  test.each([
    [
      "ports in short",
      one('ports:\n  - "8080:80"\n  - "127.0.0.1:53:53/udp"'),
      {
        PortBindings: {
          "80/tcp": [{ HostIp: expect.any(String), HostPort: "8080" }],
          "53/udp": [{ HostIp: "127.0.0.1", HostPort: "53" }],
        },
      },
    ],
    [
      "ports in long",
      one("ports:\n  - target: 80\n    published: 8080\n    protocol: tcp"),
      {
        PortBindings: { "80/tcp": [expect.objectContaining({ HostPort: "8080" })] },
      },
    ],
    ["restart", one("restart: on-failure:3"), { RestartPolicy: { Name: "on-failure", MaximumRetryCount: 3 } }],
    ["a folder of the server", one("volumes:\n  - /srv/www:/www:ro"), { Binds: ["/srv/www:/www:ro"] }],
    [
      "limits",
      one("mem_limit: 512m\ncpus: 1.5\npids_limit: 100"),
      {
        Memory: 536_870_912,
        NanoCpus: 1.5e9,
        PidsLimit: 100,
      },
    ],
    [
      "powers",
      one("cap_add: [NET_ADMIN]\ncap_drop: [ALL]\nprivileged: true"),
      {
        CapAdd: ["NET_ADMIN"],
        CapDrop: ["ALL"],
        Privileged: true,
      },
    ],
    ["the server's network", one("network_mode: host"), { NetworkMode: "host" }],
    ["the server's processes", one("pid: host"), { PidMode: "host" }],
    [
      "read-only with a place to write",
      one("read_only: true\ntmpfs: /tmp"),
      {
        ReadonlyRootfs: true,
        Mounts: [expect.objectContaining({ Type: "tmpfs", Target: "/tmp" })],
      },
    ],
    ["names of hosts", one("extra_hosts:\n  - db:10.0.0.7"), { ExtraHosts: ["db:10.0.0.7"] }],
    [
      "limits of the shell",
      one("ulimits:\n  nofile:\n    soft: 1024\n    hard: 2048"),
      {
        Ulimits: [{ Name: "nofile", Soft: 1024, Hard: 2048 }],
      },
    ],
    [
      "settings of the kernel",
      one("sysctls:\n  net.core.somaxconn: 1024"),
      {
        Sysctls: { "net.core.somaxconn": "1024" },
      },
    ],
    [
      "a device",
      one("devices:\n  - /dev/ttyUSB0:/dev/ttyUSB0"),
      {
        Devices: [{ PathOnHost: "/dev/ttyUSB0", PathInContainer: "/dev/ttyUSB0", CgroupPermissions: "rwm" }],
      },
    ],
    ["shared memory", one("shm_size: 64m"), { ShmSize: 67_108_864 }],
    ["an init of its own", one("init: true"), { Init: true }],
    [
      "a volume of the project",
      `${one("volumes:\n  - data:/var/lib")}volumes:\n  data: {}\n`,
      {
        Mounts: [expect.objectContaining({ Type: "volume", Source: "shop_data", Target: "/var/lib" })],
      },
    ],
    ["a network of the project", `${one("networks: [back]")}networks:\n  back: {}\n`, { NetworkMode: "shop_back" }],
    ["its own network unless told", one("tty: false"), { NetworkMode: "shop_default" }],
    [
      "a folder of the project",
      one("volumes:\n  - ./data/www/:/www:ro"),
      { Binds: ["/data/compose/shop/data/www:/www:ro"] },
    ],
    [
      "a folder of the project in long",
      one("volumes:\n  - type: bind\n    source: ./data\n    target: /www"),
      { Binds: ["/data/compose/shop/data:/www:rw"] },
    ],
    [
      "a bounded log unless told",
      one("tty: false"),
      { LogConfig: { Type: "json-file", Config: { "max-size": "10m" } } },
    ],
    [
      "a log of its own",
      one("logging:\n  driver: local\n  options:\n    max-size: 1m"),
      { LogConfig: { Type: "local", Config: { "max-size": "1m" } } },
    ],
    ["no log", one("logging: { driver: none }"), { LogConfig: { Type: "none", Config: {} } }],
    ["who is asked for names", one("dns: 192.0.2.53"), { Dns: ["192.0.2.53"] }],
    [
      "how names are looked up",
      one("dns: [192.0.2.53, '2001:db8::53']\ndns_search: example.org\ndns_opt: ['use-vc']"),
      { Dns: ["192.0.2.53", "2001:db8::53"], DnsSearch: ["example.org"], DnsOptions: ["use-vc"] },
    ],
  ])("%s", (_, file, expected) => {
    expect(host(file)).toMatchObject(expected);
  });

  test("env_file hands the lines of .env over, below what the file says itself", () => {
    const file = one("env_file: [.env]\nenvironment: { B: mine }");
    expect(requestOf(file, "A=1\nB=2")).toMatchObject({ Env: ["A=1", "B=mine"] });
    const long = one("environment: [B=mine]\nenv_file: [{ path: ./.env, required: false }]");
    expect(requestOf(long, "A=1\nB=2")).toMatchObject({ Env: ["A=1", "B=mine"] });
  });

  test("a service with profiles runs when one of them is asked for", () => {
    const file = `services:
  web: { image: web }
  debug: { image: debug, profiles: [debug, all] }
`;
    const names = (env: string) => readWell(file, env).services.map(({ name }) => name);
    expect(names("")).toEqual(["web"]);
    expect(names("COMPOSE_PROFILES=other")).toEqual(["web"]);
    expect(names("COMPOSE_PROFILES=other, debug")).toEqual(["web", "debug"]);
    expect(names('COMPOSE_PROFILES="*"')).toEqual(["web", "debug"]);
    expect(readWell(file).idle).toEqual([{ name: "debug", profiles: ["debug", "all"] }]);
  });

  test("networks and volumes keep what the file says of them", () => {
    const { networks, volumes } = readWell(`${one("networks: [back]\nvolumes: ['nfs:/data']")}networks:
  back:
    driver_opts: { com.docker.network.bridge.name: br0 }
    enable_ipv6: true
    ipam:
      driver: default
      config: [{ subnet: 172.28.0.0/16, gateway: 172.28.0.1, ip_range: 172.28.5.0/24 }]
volumes:
  nfs: { driver_opts: { type: nfs, o: "addr=192.0.2.7,rw", device: ":/srv" } }
`);
    expect(networks).toMatchObject([
      {
        driverOpts: { "com.docker.network.bridge.name": "br0" },
        hasIpv6: true,
        subnets: [{ subnet: "172.28.0.0/16", gateway: "172.28.0.1", ipRange: "172.28.5.0/24" }],
      },
    ]);
    expect(volumes).toMatchObject([{ driverOpts: { type: "nfs", o: "addr=192.0.2.7,rw", device: ":/srv" } }]);
  });

  test("variables come from the .env, with what stands in for them", () => {
    const file = `services:\n  web:\n    image: nginx:\${TAG:-1.29}\n    environment:\n      A: \${A:?is needed}\n      B: $$x\n`;
    expect(requestOf(file, "A='one two'")).toMatchObject({ Image: "nginx:1.29", Env: ["A=one two", "B=$x"] });
    expect(requestOf(file, 'TAG=1.30\nA="a\\"b"')).toMatchObject({ Image: "nginx:1.30", Env: ['A=a"b', "B=$x"] });
    expect(read(file)).toMatchObject({ kind: "refused", problems: [{ line: 5 }] });
  });

  test("anchors and extensions are Compose's own", () => {
    const file = "x-base: &base\n  restart: always\nservices:\n  web:\n    <<: *base\n    image: nginx:1.29\n";
    expect(host(file)).toMatchObject({ RestartPolicy: { Name: "always" } });
  });

  test("services start behind what they wait for", () => {
    const file = `services:
  web: { image: web, depends_on: { db: { condition: service_healthy } } }
  db: { image: db }
`;
    expect(readWell(file).services.map(({ name }) => name)).toEqual(["db", "web"]);
  });
});

describe("what cannot be done is named with its key and its line", () => {
  test.each([
    ["build", one("build: ."), "services.web.build", 4],
    ["an unknown key", one("imagee: x"), "services.web.imagee", 4],
    ["a name of ours", one("container_name: orrery-x"), "services.web.container_name", 4],
    ["a label of ours", one("labels:\n  orrery.app: x"), "services.web.labels", 4],
    ["a label of Compose", one("labels:\n  com.docker.compose.project: x"), "services.web.labels", 4],
    ["another mode of the network", one("network_mode: container:x"), "services.web.network_mode", 4],
    ["both kinds of networks", `${one("network_mode: host\nnetworks: [a]")}networks:\n  a: {}\n`, "services.web", 2],
    ["no image", "services:\n  web:\n    tty: true\n", "services.web", 2],
    ["no image name", "services:\n  web:\n    image: 'not an image'\n", "services.web.image", 3],
    ["another name of the project", `name: other\n${one("tty: true")}`, "name", 1],
    [
      "two of one name",
      "services:\n  a: {image: x, container_name: c}\n  b: {image: x, container_name: c}\n",
      "services.b.container_name",
      3,
    ],
    ["a wait in a circle", "services:\n  a: {image: x, depends_on: [b]}\n  b: {image: x, depends_on: [a]}\n", "", 0],
    ["a wait for nobody", one("depends_on: [nobody]"), "services.web.depends_on", 4],
    ["another file of variables", one("env_file: web.env"), "services.web.env_file", 4],
    ["a log that cannot be read", one("logging: { driver: syslog }"), "services.web.logging.driver", 4],
    ["a name for who tells names", one("dns: resolver.example.org"), "services.web.dns", 4],
    ["the folder of the project itself", one("volumes: ['./:/all']"), "services.web.volumes[0]", 4],
    ["the file of the project", one("volumes: ['./compose.yaml:/x']"), "services.web.volumes[0]", 4],
    ["its hidden files", one("volumes: ['./.env:/x']"), "services.web.volumes[0]", 4],
    ["a folder beside the project", one("volumes: ['./a/../../b:/x']"), "services.web.volumes[0]", 4],
    ["a folder above the project", one("volumes: ['../b:/x']"), "services.web.volumes[0]", 4],
    [
      "a wait for who sleeps",
      "services:\n  a: {image: x, depends_on: [b]}\n  b: {image: x, profiles: [p]}\n",
      "services.a.depends_on",
      2,
    ],
    [
      "no block of addresses",
      `${one("tty: true")}networks:\n  a:\n    ipam: { config: [{ subnet: 172.28 }] }\n`,
      "networks.a.ipam.config[0].subnet",
      7,
    ],
    [
      "a driver of addresses",
      `${one("tty: true")}networks:\n  a:\n    ipam: { driver: dhcp }\n`,
      "networks.a.ipam.driver",
      7,
    ],
    ["a config that is not declared", one("configs: [a]"), "services.web.configs", 4],
    ["a secret that is not declared", one("secrets: [a]"), "services.web.secrets", 4],
    ["no YAML", "services: [", "", 0],
  ])("%s", (_, file, key, line) => {
    const found = read(file);
    if (found.kind !== "refused") throw new Error("this was taken");
    const [problem] = found.problems;
    if (key !== "") expect(problem?.key.startsWith(key)).toBe(true);
    if (line > 0) expect(problem?.line).toBeGreaterThanOrEqual(line);
    // In this line, at the first letter of what is meant.
    const at = file.split("\n")[(problem?.line ?? 0) - 1]?.slice((problem?.column ?? 0) - 1);
    if (key !== "" && problem?.line) expect(at).toMatch(/^\S/);
    expect(problem?.message).not.toBe("");
    expect(problem?.next_step).not.toBe("");
  });

  test("a line of the .env that is no variable", () => {
    expect(read(one("tty: true"), "A=1\nnonsense\nB='open")).toMatchObject({
      kind: "refused",
      problems: [
        { file: ".env", line: 2, column: 1 },
        { file: ".env", line: 3, key: "B" },
      ],
    });
  });
});

test("what gives power over the server is named in words, once for each service", () => {
  const file = one(
    "privileged: true\nnetwork_mode: host\npid: host\nvolumes:\n  - /var/run/docker.sock:/var/run/docker.sock\n  - /srv:/srv\ndevices: ['/dev/kvm']\ncap_add: [SYS_ADMIN]",
  );
  const dangers = listDangers(readWell(file));
  expect(dangers.map(({ id }) => id)).toEqual([
    "web/privileged",
    "web/host_network",
    "web/host_processes",
    "web/docker_socket",
    "web/host_path:/srv",
    "web/device:/dev/kvm",
    "web/capability:SYS_ADMIN",
  ]);
  expect(dangers.every(({ text }) => text.startsWith("web "))).toBe(true);
  const wordsFor = (volumes: string) => listDangers(readWell(one(`volumes: [${volumes}]`))).map(({ text }) => text);
  expect(wordsFor("'/srv:/srv:ro'")).toEqual(["web reads the folder /srv of this server; it may not write to it."]);
  expect(wordsFor("'/srv:/a:ro', '/srv:/b'")).toEqual([
    "web reads the folder /srv of this server, and may write to it.",
  ]);
  expect(listDangers(readWell(one("ports: ['80:80']")))).toEqual([]);
});

test("what others reach is told, and where files stand and logs go", () => {
  const notes = (file: string, env = "") => listNotes(targetOf(readWell(file, env))).map(({ text }) => text);
  const onBridge = `${one("networks: [lan]")}networks:\n  lan:\n    driver_opts: { com.docker.network.bridge.name: br0 }\n`;
  expect(notes(onBridge)).toEqual([expect.stringContaining("the bridge br0 of this server")]);
  expect(notes(one("ports: ['127.0.0.1:80:80', '[::1]:81:80']"))).toEqual([]);
  expect(notes(one("ports: ['8080:80', '53:53/udp', '192.0.2.1:90:90']"))).toEqual([
    expect.stringContaining(
      "at all addresses of this server, also past a firewall such as ufw: 8080 → 80, 53 → 53/udp.",
    ),
    "web is open to whoever reaches 192.0.2.1: 90 → 90.",
  ]);
  expect(notes(one("ports: ['10000-10999:10000-10999']"))[0]).toContain("and 992 more");
  expect(notes(one("logging: { driver: none }"))).toEqual([expect.stringContaining("keeps no log")]);
  expect(notes(one("logging: { driver: json-file }"))).toEqual([expect.stringContaining("max-size")]);
  expect(notes(one("volumes: ['./data:/data']"))).toEqual([expect.stringContaining("/data/compose/shop/data")]);
  expect(notes(one("profiles: [p]").concat("  app: { image: x }\n"))).toEqual([
    expect.stringContaining("COMPOSE_PROFILES"),
  ]);
});

test.each([
  ["{ type: none, o: bind, device: /srv }", ["web/host_path:/srv"]],
  ["{ o: 'ro,rbind', device: srv/../etc }", ["web/host_path:/srv/../etc"]],
  ["{ type: none, o: bind, device: / }", ["web/docker_socket"]],
  ["{ type: tmpfs, o: bind, device: /var/run/docker.sock }", ["web/docker_socket"]],
  ["{ type: nfs, o: 'addr=10.0.0.5,bind', device: /run }", ["web/docker_socket"]],
  ["{ type: ext4, device: /dev/sda1 }", ["web/mounted_volume:data"]],
  ["{ type: overlay, o: 'lowerdir=/,upperdir=/tmp/a,workdir=/tmp/b', device: overlay }", ["web/mounted_volume:data"]],
  ["{ type: nfs, o: 'addr=10.0.0.5,rw', device: ':/photos' }", []],
  ["{ type: tmpfs, device: tmpfs, o: size=64m }", []],
  ["{}", []],
])("a volume with the options %s is as dangerous as a folder that is mounted", (options, ids) => {
  const file = `${one("volumes: ['data:/data']")}volumes:\n  data: { driver: local, driver_opts: ${options} }\n`;
  expect(listDangers(readWell(file)).map(({ id }) => id)).toEqual(ids);
});

test("no text makes the reader fail or hang", () => {
  const words = `services:|  web:|    image: x|    ports: [|- 80:80|&a|*a|<<:|\${A|{|}|\t|!!x|!reset|:|include: [a.yaml]|    extends: web
|    extends: { file: ./a.yaml, service: web }|    env_file: b/.env`;
  const word = fc.constantFrom(...words.split("|"), "|");
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(word, { maxLength: 30 }).map((words) => words.join("\n")),
    fc.array(word, { maxLength: 30 }).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, fc.string({ maxLength: 60 }), text, text, (file, env, one, other) => {
      const files = [
        { path: "a.yaml", text: one },
        { path: "b/.env", text: other },
      ];
      expect(["read", "refused"]).toContain(read(file, env, files).kind);
    }),
    { numRuns: Number(process.env["COMPOSE_FUZZ_RUNS"] ?? 1500) },
  );
});
