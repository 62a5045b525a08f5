import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestImage, testEnv } from "./env.ts";

/** An app of the test catalogue. */
export interface TestApp {
  /** With the name of an app of the built-in catalogue it takes that one's place. */
  name: string;
  /** From the local registry; any other reference is taken as it stands. */
  image: TestImage | (string & {});
  /** Hard limit of the container in MiB. */
  memoryMb?: number;
  /** Seconds in which the first start must become healthy. */
  startS?: number;
  /** Seconds before the program inside listens. */
  delayS?: number;
  /** Docker asks it all the time whether it is well, which costs more than all that it does; otherwise only its manifest is asked. */
  isChecked?: boolean;
  /** Its manifest is asked from inside of it: by a node in a container, which does not reach it. */
  isAskedInside?: boolean;
  /** A second service that has to be healthy before the first one starts; both are checked. */
  withDatabase?: boolean;
  /** Folder of the server that its first service has, which its manifest asks for. */
  hostPath?: string;
  /** What the store shows of it, where the name of a test will not do. */
  face?: { display_name: string; category: string; icon: string; tagline: string; version: string };
}

const APPS: readonly TestApp[] = [
  { name: "test-web", image: "web" },
  { name: "test-checked", image: "web", isChecked: true },
  { name: "test-layers", image: "layers" },
  { name: "test-slow", image: "web", delayS: 4 },
  { name: "test-stack", image: "web", withDatabase: true },
  { name: "test-crash", image: "crash", startS: 30 },
  { name: "test-oom", image: "oom", memoryMb: 24, startS: 20 },
  { name: "test-sick", image: "sick", startS: 4, isChecked: true },
];

const ASKED_INSIDE = `exec: [wget, -q, -O, /dev/null, "http://127.0.0.1:8080/health"]`;
const SECRET_LENGTH_HEX = 32;

/** Writes a folder of templates whose images are in the local registry, for the setting `templates_dir`. */
export function writeTestTemplates(folder: string, more: readonly TestApp[] = []): void {
  const images: Record<string, string> = testEnv().images;
  const web = images["web"] ?? "";
  for (const app of [...APPS, ...more]) {
    const version = join(folder, app.name, app.face?.version ?? "1.0.0");
    mkdirSync(version, { recursive: true });
    writeFileSync(join(version, "compose.yaml"), composeOf(app, images[app.image] ?? app.image, web));
    writeFileSync(join(version, "app.yaml"), manifestOf(app));
  }
}

const healthcheck = `    healthcheck:
      test: [CMD, wget, -q, -O, /dev/null, "http://127.0.0.1:8080/health"]
      interval: 500ms
      timeout: 2s
      retries: 3
      start_period: 10s
`;

function composeOf(app: TestApp, image: string, webImage: string): string {
  const database = `  database:
    image: ${webImage}
    restart: unless-stopped
    environment:
      START_DELAY: "0.4"
    volumes:
      - records:/data
${healthcheck}`;
  return `services:
  web:
    image: ${image}
    restart: unless-stopped
    environment:
      GREETING: \${GREETING}
      APP_SECRET: \${APP_SECRET}
      START_DELAY: "${app.delayS ?? 0}"
    volumes:
      - data:/data
${app.hostPath === undefined ? "" : `      - ${app.hostPath}:/host\n`}${app.withDatabase ? "    depends_on:\n      database:\n        condition: service_healthy\n" : ""}${app.isChecked || app.withDatabase ? healthcheck : ""}${app.withDatabase ? database : ""}volumes:
  data: {}
${app.withDatabase ? "  records: {}\n" : ""}`;
}

const plainFace = (name: string) => ({
  display_name: name.replace("test-", "Test "),
  version: "1.0.0",
  tagline: "An app that exists only for the tests",
  category: "tools",
  icon: "box",
});

function manifestOf(app: TestApp): string {
  const face = app.face ?? plainFace(app.name);
  const permissions =
    app.hostPath === undefined
      ? []
      : [{ id: `host_path:${app.hostPath}`, title: "A folder", detail: "It writes to it." }];
  const limit = (service: string, memoryMb: number) => `  ${service}: {memory_mb: ${memoryMb}, cpus: 1, pids: 100}\n`;
  return `schema: 1
id: org.orrery.${app.name}
name: ${app.name}
display_name: ${JSON.stringify(face.display_name)}
version: ${JSON.stringify(face.version)}
revision: 1
tagline: ${JSON.stringify(face.tagline)}
description: It answers with its name and greeting, keeps the visits in a volume and writes one log line a second.
category: ${face.category}
icon: ${face.icon}
license: Apache-2.0
links: [{label: Website, url: "https://example.org"}]
arch: [amd64, arm64]
needs: {ram_mb: 8, disk_mb: 20, docker: ">=20.10"}
main: {service: web, port: 8080, path: /cgi-bin/whoami}
inputs: [{key: GREETING, type: text, label: Greeting, default: hello, required: false}]
secrets: [{key: APP_SECRET, kind: hex, bytes: ${SECRET_LENGTH_HEX / 2}, label: A secret of the app, rotatable: true}]
ports: [{service: web, container: 8080, purpose: Web page, publish: loopback}]
volumes:
  - {name: data, role: data}
${app.withDatabase ? "  - {name: records, role: database}\n" : ""}health: {service: web, ${app.isAskedInside ? ASKED_INSIDE : "http: /health, port: 8080, expect: 200"}, start_s: ${app.startS ?? 30}, stable_s: 1}
backup: {consistency: stop}
upgrade: {from: [{range: ">=1"}], snapshot: images}
limits:
${limit("web", app.memoryMb ?? 64)}${app.withDatabase ? limit("database", 64) : ""}permissions: ${JSON.stringify(permissions)}
first_run: {url: /cgi-bin/whoami, show: [APP_SECRET], note: Look at the greeting.}
uninstall: {keep: [data]}
`;
}
