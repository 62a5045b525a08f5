import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { OWN_TEMPLATES } from "../../../../tests/kit/own-templates.ts";
import { listFolders, readTemplateText } from "./index-build.ts";
import { lintTemplate } from "./lint.ts";

const root = join(import.meta.dir, "../../../../embed/node/templates");
const names = await listFolders(root);

test("the catalogue holds what it promises", () => {
  expect(names.length).toBeGreaterThanOrEqual(100);
});

for (const name of names) {
  test(`${name} keeps every rule`, async () => {
    for (const version of await listFolders(join(root, name))) {
      expect(lintTemplate(await readTemplateText(root, name, version), { name, version })).toEqual([]);
    }
  });
}

// Outside of a volume it would go with the container, at each update.
test.each([
  ["localai", "/data"],
  ["stirling-pdf", "/customFiles"],
  ["stirling-pdf", "/pipeline"],
])("%s keeps what people make in %s", async (name, folder) => {
  for (const version of await listFolders(join(root, name)))
    expect((await readTemplateText(root, name, version)).compose).toMatch(new RegExp(`^ +- \\w+:${folder}$`, "m"));
});

test("one app is featured", async () => {
  const featured: string[] = [];
  for (const name of names) {
    const version = (await listFolders(join(root, name)))[0] ?? "";
    if (/^featured: true$/m.test((await readTemplateText(root, name, version)).app)) featured.push(name);
  }
  expect(featured).toHaveLength(1);
});

describe("each rule catches a planted defect", () => {
  type Defect = [rule: string, file: "app" | "compose", find: string | RegExp, replacement: string];
  const vaultwarden: Record<string, Defect> = {
    "another version than the folder": ["folder", "app", 'version: "1.37.1"', 'version: "1.37.0"'],
    "a literal password": ["literal-secret", "compose", `\${ADMIN_TOKEN}`, "correct horse"],
    "a default for a secret": ["literal-secret", "compose", `\${ADMIN_TOKEN}`, `\${ADMIN_TOKEN:-horse}`],
    "a password in an address": ["literal-secret", "compose", `TZ: \${TZ}`, "DATABASE_URL: mysql://a:b@c/d"],
    "a fixed host port": ["compose", "compose", "    volumes:\n", '    ports: ["80:80"]\n    volumes:\n'],
    "a check that cannot fail": ["health", "compose", /test: .*/, "test: echo ok"],
    "a check whose failure is swallowed": ["health", "compose", /test: .*/, 'test: "curl localhost || true"'],
    "a check without end": ["health", "compose", "      timeout: 5s\n", ""],
    "the docker socket": ["permissions", "compose", "- data:/data", "- data:/data\n      - /var/run/docker.sock:/s"],
    "the server's network": ["permissions", "compose", "    volumes:\n", "    network_mode: host\n    volumes:\n"],
    "a port on the server's network that says nothing of it": [
      "host-network",
      "compose",
      "    volumes:\n",
      "    network_mode: host\n    volumes:\n",
    ],
    "a port that says it is on the server's network": [
      "host-network",
      "app",
      /(publish: \w+)/,
      "$1, host_network: true",
    ],
    "no network": ["compose", "compose", "    volumes:\n", "    network_mode: none\n    volumes:\n"],
    "a device": ["permissions", "compose", "    volumes:\n", "    devices: [/dev/dri]\n    volumes:\n"],
    "a permission that is not used": [
      "permissions",
      "app",
      "permissions: []",
      "permissions: [{id: docker_socket, title: Docker, detail: None}]",
    ],
    "no digest": ["pin", "compose", /@sha256:[0-9a-f]+/, ""],
    "a short digest": ["pin", "compose", /(@sha256:[0-9a-f]{10})[0-9a-f]+/, "$1"],
    "no tag": ["pin", "compose", "server:1.37.1", "server"],
    "the latest tag": ["pin", "compose", "server:1.37.1", "server:latest"],
    "an image that an answer chooses": ["pin", "compose", "server:1.37.1", `server:\${ADMIN_TOKEN}`],
    "a pinned image called unpinned": [
      "pin",
      "app",
      "permissions: []",
      "permissions: []\nunpinned: [{service: vaultwarden, reason: None}]",
    ],
    "a volume without role": ["volumes", "app", "{ name: data, role: data }", "{ name: other, role: data }"],
    "a volume that nothing mounts": ["volumes", "compose", "      - data:/data", "      - /srv/x:/data"],
    "a variable from nowhere": ["variables", "compose", `TZ: \${TZ}`, `TZ: \${ZONE}`],
    "a secret without use": ["variables", "compose", `      ADMIN_TOKEN: \${ADMIN_TOKEN}\n`, ""],
    "a main service that is none": ["references", "app", "main: { service: vaultwarden", "main: { service: web"],
    "a main port that is closed": ["references", "app", "port: 80, path", "port: 81, path"],
    "something to show that is not there": ["references", "app", "show: [ADMIN_TOKEN]", "show: [PASSWORD]"],
    "no limit": ["limits", "app", "  vaultwarden: { memory_mb", "  other: { memory_mb"],
    "a limit below the need": ["limits", "app", "ram_mb: 128", "ram_mb: 12800"],
    "a limit in the Compose file": ["limits", "compose", "    volumes:\n", "    mem_limit: 1g\n    volumes:\n"],
    "a service that stays down": ["restart", "compose", "    restart: unless-stopped\n", ""],
    "a secret that does not say whether it can be renewed": ["rotation", "app", "    rotatable: false\n", ""],
    "a secret that cannot be renewed for no reason": ["rotation", "app", / {4}reason: .*\n/, ""],
    "a secret to renew that the app writes into a file": ["rotation", "app", "rotatable: false", "rotatable: true"],
    "a live copy of a database": [
      "backup",
      "app",
      /role: data \}([\s\S]*)consistency: stop/,
      "role: database }$1consistency: live",
    ],
    "a dump without database": ["backup", "app", "consistency: stop", "consistency: dump"],
    "two dumps that are loaded into one place": [
      "backup",
      "app",
      "consistency: stop",
      "consistency: dump\n  dumps: [{ service: vaultwarden, engine: redis }, { service: vaultwarden, engine: mysql }]",
    ],
    "a question with a default password": ["literal-secret", "app", "type: boolean", "type: password"],
    "a select without options": ["inputs", "app", "type: boolean", "type: select"],
  };
  for (const [name, [rule, file, find, replacement]] of Object.entries(vaultwarden)) {
    test(name, async () => {
      const text = await readTemplateText(root, "vaultwarden", "1.37.1");
      const changed = { ...text, [file]: text[file].replace(find, replacement) };
      expect(changed).not.toEqual(text);
      const rules = lintTemplate(changed, { name: "vaultwarden", version: "1.37.1" }).map((problem) => problem.rule);
      expect(rules).toContain(rule);
    });
  }

  for (const [name, version] of [
    ["immich", "3.1.0"],
    ["open-webui", "0.11.0"],
  ] as const) {
    test(`a secret to renew that ${name} keeps`, async () => {
      const text = await readTemplateText(root, name, version);
      const app = text.app.replace("rotatable: false", "rotatable: true");
      const rules = lintTemplate({ ...text, app }, { name, version }).map((problem) => problem.rule);
      expect(rules).toEqual(["rotation"]);
    });
  }

  test("a service without any health check", async () => {
    const text = await readTemplateText(root, "nextcloud", "34.0.3");
    const compose = text.compose.replace(/ {4}healthcheck:\n {6}test: \[CMD, healthcheck\.sh(.*\n){5}/, "");
    expect(lintTemplate({ ...text, compose }, { name: "nextcloud", version: "34.0.3" })).toEqual([
      { rule: "health", message: "database has no health check" },
    ]);
  });

  test("an answer that a shell would read", async () => {
    const text = await readTemplateText(OWN_TEMPLATES, "whoami", "1.11.0");
    for (const line of [`command: run \${DISPLAY_NAME}`, `command: [sh, -c, "run \${DISPLAY_NAME}"]`]) {
      const compose = text.compose.replace("    read_only: true", `    ${line}`);
      const problems = lintTemplate({ ...text, compose }, { name: "whoami", version: "1.11.0" });
      expect(problems.map((problem) => problem.rule)).toEqual(["shell-input"]);
    }
  });
});
