import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { Alias } from "yaml";
import {
  ComposeError,
  describeProblem,
  listVariables,
  parseCompose,
  requiredPermissions,
  SERVICE_KEYS,
} from "./index.ts";
import { orderByDependency } from "./order.ts";
import { splitShellWords } from "./shell-words.ts";
import { parseBytes, parseDurationMs } from "./units.ts";

const parse = (text: string, variables: Record<string, string> = {}) =>
  parseCompose(text, { file: "compose.yaml", variables, ports: "allow" });

function problemsOf(text: string, ports: "refuse" | "allow" = "allow"): string[] {
  try {
    parseCompose(text, { file: "c.yaml", variables: {}, ports });
  } catch (error) {
    if (error instanceof ComposeError) return error.problems.map(describeProblem);
    throw error;
  }
  return [];
}

const GOLDEN = `
version: "3.9"
x-common: &common
  restart: unless-stopped
  init: true
  labels: [a=1]
services:
  web:
    <<: *common
    image: ghcr.io/acme/web:\${TAG:-1.2}@sha256:aa
    depends_on:
      db: {condition: service_healthy}
      job: {condition: service_completed_successfully, required: false}
    command: sh -c "echo 'hi there' && exec web"
    environment:
      URL: https://\${HOST:?write a host name}/\${PATH_PART:-a\${DEEP:-b}}
      PRICE: $$5
      PORT: 8080
      MODE: 0755
      ON: true
    volumes:
      - data:/data
      - type: tmpfs
        target: /tmp
        tmpfs: {size: 64m, mode: 1777}
      - /srv/photos:/photos:ro
    tmpfs: /run:size=1m
    healthcheck:
      test: [CMD, wget, -qO-, http://127.0.0.1:8080/]
      interval: 1m30s
      timeout: 500ms
      retries: 4
      start_period: 2m
    ports: ["127.0.0.1:8080:80", "53:53/udp", "7000-7001:9000-9001", "[::1]:1:1"]
    expose: [3000]
    networks:
      default: {aliases: [www]}
    ulimits: {nofile: {soft: 1024, hard: 2048}, nproc: -1}
    shm_size: 1gb
    cap_drop: [ALL]
    cap_add: [CAP_CHOWN, NET_ADMIN]
    devices: [/dev/dri]
    extra_hosts: ["host.docker.internal:host-gateway"]
    stop_grace_period: 1m
    deploy: {resources: {limits: {memory: 512M, cpus: "1.5", pids: 200}}}
  db:
    image: postgres:17
    healthcheck: {disable: true}
    mem_limit: 1g
    volumes: ["pg:/var/lib/postgresql/data:nocopy"]
  job:
    image: job
    restart: on-failure:3
    entrypoint: []
volumes:
  data:
  pg: {driver: local, labels: {keep: "yes"}}
`;

describe("parseCompose", () => {
  test("turns a full file into services in order, with units", () => {
    expect(parse(GOLDEN, { HOST: "cloud.example" })).toMatchSnapshot();
  });

  test("puts dependencies first", () => {
    expect(parse(GOLDEN, { HOST: "h" }).services.map((service) => service.name)).toEqual(["db", "job", "web"]);
  });

  test("takes environment as a list; a bare name is handed through or left out", () => {
    const text = "services: {a: {image: x, environment: [A=1, B, C, 'D=a=b']}}";
    expect(parse(text, { B: "two" }).services[0]?.environment).toEqual({ A: "1", B: "two", D: "a=b" });
  });

  test("a value is never read as YAML or as a further variable", () => {
    const text = `services: {a: {image: x, environment: {P: "\${P}"}}}`;
    const value = "a: b\n# $" + "{HOME} $X";
    expect(parse(text, { P: value }).services[0]?.environment["P"]).toBe(value);
  });

  test("names what a project would reach on its host", () => {
    const ids = requiredPermissions(parse(GOLDEN, { HOST: "h" })).map((permission) => permission.id);
    expect(ids).toEqual(["host_path:/srv/photos", "device:/dev/dri", "capability:NET_ADMIN"]);
    const sockets =
      "/var/run/docker.sock /run/docker.sock /var/run/ / /run/containerd/containerd.sock /. /run/. /var/./run//";
    for (const source of sockets.split(" ")) {
      const project = parse(`services: {a: {image: x, volumes: ["${source}:/s"]}}`);
      expect(requiredPermissions(project).map((permission) => permission.id)).toEqual(["docker_socket"]);
    }
    const timeZone = (more: string) => {
      const project = parse(`services: {a: {image: x, volumes: ["/etc/localtime:/etc/localtime${more}"]}}`);
      return requiredPermissions(project).map((permission) => permission.id);
    };
    expect([timeZone(":ro"), timeZone("")]).toEqual([[], ["host_path:/etc/localtime"]]);
  });
});

describe("errors say file, line, key and what to do", () => {
  const rows: Array<[string, string, string]> = [
    [
      "unsupported key",
      "services:\n  a:\n    image: x\n    build: .\n",
      "c.yaml:4: services.a.build: this key is not supported. Use an image that is already built.",
    ],
    [
      "unsupported top level",
      "services: {a: {image: x}}\nconfigs: {}\n",
      "c.yaml:2: configs: this key is not supported. Remove it.",
    ],
    [
      "nested unsupported key",
      "services:\n  a:\n    image: x\n    deploy:\n      replicas: 2\n",
      "c.yaml:5: services.a.deploy.replicas: this key is not supported.",
    ],
    ["no image", "services:\n  a: {init: true}\n", "c.yaml:2: services.a: no image."],
    ["no services", "name: x\n", "no services."],
    [
      "bad duration",
      "services: {a: {image: x, stop_grace_period: soon}}",
      "services.a.stop_grace_period: soon is not a duration.",
    ],
    ["bad size", "services: {a: {image: x, mem_limit: lots}}", "services.a.mem_limit: lots is not a size."],
    ["bad boolean", "services: {a: {image: x, init: maybe}}", "services.a.init: maybe is neither true nor false."],
    [
      "missing variable",
      "services:\n  a:\n    image: x\n    user: $WHO\n",
      "c.yaml:4: services.a.user: WHO has no value.",
    ],
    [
      "required variable",
      `services: {a: {image: x, user: "\${WHO:?say who}"}}`,
      "services.a.user: WHO is required: say who.",
    ],
    ["lonely dollar", 'services: {a: {image: x, user: "5$"}}', "a single $ has no meaning."],
    ["undeclared volume", "services: {a: {image: x, volumes: [d:/d]}}", "the volume d is not declared."],
    ["undeclared network", "services: {a: {image: x, networks: [n]}}", "the network n is not declared."],
    ["unknown dependency", "services: {a: {image: x, depends_on: [b]}}", "there is no service b."],
    ["anonymous volume", "services: {a: {image: x, volumes: [/data]}}", "a volume without a name."],
    ["relative bind", "services: {a: {image: x, volumes: [./d:/d]}}", "./d is not a full path on the server."],
    ["climbing bind", "services: {a: {image: x, volumes: [/srv/../etc:/d]}}", "is not a full path on the server."],
    [
      "external volume",
      "services: {a: {image: x}}\nvolumes:\n  d:\n    external: true\n",
      "c.yaml:4: volumes.d.external: this key is not supported.",
    ],
    [
      "bad port",
      "services: {a: {image: x, ports: ['80:99999']}}",
      "services.a.ports[0]: 80:99999 is not a published port.",
    ],
    ["bad condition", "services: {a: {image: x, depends_on: {a: {condition: ready}}}}", "ready is not a condition."],
    [
      "bare test list",
      "services: {a: {image: x, healthcheck: {test: [curl, localhost]}}}",
      "the list does not say how to run the test.",
    ],
    [
      "limit twice",
      "services: {a: {image: x, mem_limit: 1g, deploy: {resources: {limits: {memory: 2g}}}}}",
      "this limit is set twice.",
    ],
    ["bad YAML", "services:\n  a: [\n", "c.yaml:3: not valid YAML"],
    ["double key", "services:\n  a: {image: x}\n  a: {image: y}\n", "c.yaml:3: not valid YAML"],
    ["open quote", "services: {a: {image: x, command: 'say \"hi'}}", "a quote stays open."],
  ];
  for (const [name, text, expected] of rows) {
    test(name, () => expect(problemsOf(text).join("\n")).toContain(expected));
  }

  test("all problems of a file come at once, in its order", () => {
    const text = "services:\n  a:\n    image: x\n    build: .\n    init: 7\n    privileged: true\n";
    expect(problemsOf(text).map((line) => line.split(":")[1])).toEqual(["4", "5", "6"]);
  });

  test("a circle is shown as a path", () => {
    const text =
      "services: {a: {image: x, depends_on: [b]}, b: {image: x, depends_on: [c]}, c: {image: x, depends_on: [b]}}";
    expect(problemsOf(text)[0]).toContain("services wait for each other: b → c → b");
  });

  test("our own templates publish no ports", () => {
    expect(problemsOf("services: {a: {image: x, ports: ['80:80']}}", "refuse")[0]).toContain(
      "a template publishes no port by itself",
    );
  });

  test("names that every object has are no keys, and are kept as names of values", () => {
    for (const key of ["constructor", "toString", "__proto__"])
      expect(problemsOf(`services:\n  a:\n    image: x\n    ${key}: {b: 1}\n`)).toEqual([
        `c.yaml:4: services.a.${key}: this key is not supported. Remove it.`,
      ]);
    const { environment } = parse("services: {a: {image: x, environment: {__proto__: y}}}").services[0] ?? {};
    expect(Object.entries(environment ?? {})).toEqual([["__proto__", "y"]]);
  });

  test("a short text cannot stand for millions of ports or for endless defaults", () => {
    const ports = Array(50).fill("'1-65535:1-65535'").join(", ");
    expect(problemsOf(`services: {a: {image: x, ports: [${ports}]}}`)[0]).toContain("more than 40000 ports");
    expect(problemsOf(`services: {a: {image: x, expose: [1-65535]}}`)[0]).toContain("more than 40000 ports");
    const nested = `${"${A:-".repeat(5000)}${"}".repeat(5000)}`;
    expect(problemsOf(`services: {a: {image: x, user: "${nested}"}}`)[0]).toContain("too deep inside each other");
  });

  test("a value that holds itself, or is very deep, is refused in words", () => {
    for (const text of [
      "x-a: &a [*a]",
      "x-a: &a {<<: *a}",
      "x-a: &a {b: *a}",
      `x-a: ${"[".repeat(200)}${"]".repeat(200)}`,
      `x-a: ${"{a: ".repeat(3_000)}1${"}".repeat(3_000)}`,
      `x-a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    ])
      expect(problemsOf(`${text}\nservices: {a: {image: x}}`)[0]).toContain("too deep inside each other");
  });

  test("anchors cannot multiply without end", () => {
    const levels = Array.from({ length: 12 }, (_, n) => `x-${n}: &a${n} [${n === 0 ? "1" : `*a${n - 1}, `.repeat(9)}]`);
    expect(problemsOf(`${levels.join("\n")}\nservices: {a: {image: x}}`)[0]).toContain("stands for too many values");
  });

  test("an alias stands for the last anchor before it, and none is looked for by a walk of its own", () => {
    const looked = spyOn(Alias.prototype, "resolve");
    const merged = `{<<: [${"*x, ".repeat(500)}], image: *i}`;
    const text = `x-a: &x {hostname: first}\nx-i: &i one\nservices:\n  a: ${merged}\n  b: {image: &i two}\n  c: {image: *i}`;
    const images = parse(text).services.map(({ image, hostname }) => [image, hostname]);
    expect(looked.mock.calls.length).toBe(0);
    looked.mockRestore();
    expect(images).toEqual([
      ["one", "first"],
      ["two", null],
      ["two", null],
    ]);
  });
});

test("the documentation lists every key that we understand", async () => {
  const text = await Bun.file(new URL("../../../../docs/templates.md", import.meta.url)).text();
  const words = new Set(text.match(/[a-z_]+/g));
  expect(SERVICE_KEYS.filter((key) => !words.has(key))).toEqual([]);
});

test("listVariables finds all names, also in defaults and alternatives", () => {
  const text = `a: \${A} $B $$C\nb: ["\${D:-\${E}}", "\${F:+\${G}}"]`;
  expect([...listVariables(text, "c.yaml")].sort()).toEqual(["A", "B", "D", "E", "F", "G"]);
});

describe("units", () => {
  test("durations", () => {
    const rows: Array<[string, number | null]> = [
      ["1m30s", 90_000],
      ["500ms", 500],
      ["1.5h", 5_400_000],
      ["0", 0],
      ["5", null],
      ["1x", null],
      ["", null],
    ];
    for (const [text, value] of rows) expect([text, parseDurationMs(text)]).toEqual([text, value]);
  });

  test("sizes", () => {
    const rows: Array<[string, number | null]> = [
      ["1024", 1024],
      ["64b", 64],
      ["512m", 536_870_912],
      ["2GB", 2_147_483_648],
      ["1.5gib", 1_610_612_736],
      ["m", null],
      ["-1", null],
    ];
    for (const [text, value] of rows) expect([text, parseBytes(text)]).toEqual([text, value]);
  });
});

describe("properties", () => {
  test("quoted words come back as they were", () => {
    const word = fc.string().map((text) => text.replaceAll("\0", ""));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const line = words.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(" ");
        expect(splitShellWords(line)).toEqual(words);
      }),
    );
  });

  test("an order puts each item after its dependencies, or the cycle is one", () => {
    const graph = fc.integer({ min: 1, max: 7 }).chain((size) =>
      fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 }), {
        minLength: size,
        maxLength: size,
      }),
    );
    fc.assert(
      fc.property(graph, (edges) => {
        const items = edges.map((targets, index) => ({
          name: `s${index}`,
          dependsOn: targets.map((n) => ({ service: `s${n}` })),
        }));
        const ordering = orderByDependency(items);
        if (ordering.kind === "cycle") {
          for (const [index, name] of ordering.names.slice(0, -1).entries()) {
            const next = ordering.names[index + 1];
            expect(items.find((item) => item.name === name)?.dependsOn.some((edge) => edge.service === next)).toBe(
              true,
            );
          }
          expect(ordering.names.at(-1)).toBe(ordering.names[0]);
          return;
        }
        expect(ordering.items.length).toBe(items.length);
        const place = new Map(ordering.items.map((item, index) => [item.name, index]));
        for (const item of items) {
          for (const { service } of item.dependsOn) expect(place.get(service)).toBeLessThan(place.get(item.name) ?? -1);
        }
      }),
    );
  });

  test("a key that is there twice is refused, also where it is written as a number once", () => {
    const at = (entries: string) => problemsOf(`services:\n  a:\n    image: x\n    labels:\n${entries}`);
    const refused = [expect.stringContaining("c.yaml:6: not valid YAML (Map keys must be unique)")];
    expect(at("      a: 1\n      a: 2\n")).toEqual(refused);
    expect(at("      1: a\n      '1': b\n")).toEqual(refused);
    expect(at("      a: 1\n      b: 2\n")).toEqual([]);
  });

  test("a damaged file either parses or is refused with problems", () => {
    const piece = fc.constantFrom(
      "[",
      "{",
      "}",
      "&a ",
      "*a",
      "<<: ",
      "\n",
      "  ",
      "${",
      "}",
      ":",
      "-",
      "'",
      "#",
      "\0",
      "!!",
      "|",
    );
    const cut = fc.record({ at: fc.nat(GOLDEN.length), length: fc.nat(12), piece });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) => {
        const text = cuts.reduce(
          (rest, { at, length, piece: put }) => rest.slice(0, at) + put + rest.slice(at + length),
          GOLDEN,
        );
        expect(() => problemsOf(text)).not.toThrow();
      }),
      { numRuns: Number(process.env["COMPOSE_FUZZ"] ?? 100) },
    );
  });

  test("any text either parses or is refused with problems", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) =>
        expect(() => problemsOf(`services:\n  a:\n    image: ${text}`)).not.toThrow(),
      ),
    );
  });
});
