// By hand: `bun tests/e2e/shots.ts FOLDER [README_PICTURE]`. Fills a node with running apps and takes a picture of every
// screen, dark and light, on a desk and on a phone; the second argument is where the picture of the README goes.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { parse } from "yaml";
import { startNode } from "../kit/binary.ts";
import { endChromium, openBrowser } from "../kit/browser.ts";
import { OWNER } from "../kit/client.ts";
import { type Dashboard, startDashboard } from "../kit/dashboard.ts";
import { docker } from "../kit/docker.ts";
import { ROOT } from "../kit/env.ts";
import type { TestApp } from "../kit/templates.ts";

/** Apps with the memory in MB (at most 120) and the share of a processor that each shall use. */
const APPS: [name: string, memoryMb: number, share: number][] = [
  ["nextcloud", 100, 0.03],
  ["vaultwarden", 14, 0.01],
  ["jellyfin", 120, 0.06],
  ["home-assistant", 70, 0.03],
  ["gitea", 45, 0.01],
  ["uptime-kuma", 32, 0.02],
  ["grafana", 58, 0.01],
  ["freshrss", 18, 0.01],
];
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Pages that are looked at as they are. */
const PAGES = [
  ..."containers drive objects metrics alerts insights timeline logs disks network cost".split(" "),
  ..."backups components terminal audit webhooks".split(" "),
];

const [folder = "", readmePicture] = process.argv.slice(2);
if (folder === "") throw new Error("say where the pictures shall go: bun tests/e2e/shots.ts FOLDER [README_PICTURE]");
mkdirSync(folder, { recursive: true });

await shootSetup();
await shootNode();

function faceOf(name: string): TestApp {
  const versions = join(ROOT, "embed/node/templates", name);
  const version = readdirSync(versions).sort().at(-1) ?? "";
  const { display_name, category, icon, tagline } = parse(readFileSync(join(versions, version, "app.yaml"), "utf8"));
  return { name, image: "web", memoryMb: 1024, face: { display_name, category, icon, tagline, version } };
}

/** Both themes and both widths of what is shown now. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ 1440: DESK, 390: PHONE })) {
    await page.setViewportSize(viewport);
    for (const theme of ["dark", "light"]) {
      await page.evaluate(`(async () => {
        document.documentElement.dataset.theme = "${theme}";
        await Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished));
      })()`);
      await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) });
    }
  }
  await page.setViewportSize(DESK);
  await page.evaluate('document.documentElement.dataset.theme = "dark"');
}

async function shootSetup(): Promise<void> {
  const node = await startNode();
  const browser = await openBrowser(DESK);
  const { page } = browser;
  await page.goto(node.url);
  await page.getByLabel("User name").fill("mara");
  await page.getByLabel("Passphrase", { exact: true }).fill("quiet comets at noon");
  await shoot(page, "01-setup-owner");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name", { exact: true }).fill("attic");
  await shoot(page, "02-setup-name");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("checkbox").nth(1).check();
  await page.getByRole("checkbox").nth(2).check();
  await page.getByText(/Uses .* free memory/).waitFor();
  await shoot(page, "03-setup-apps");
  await page.getByRole("button", { name: "Skip for now" }).click();
  await page.getByText("Nothing in orbit yet").first().waitFor();
  await shoot(page, "04-home-empty");
  await browser.context.clearCookies();
  await page.goto(node.url);
  await page.getByLabel("User name").fill("mara");
  await shoot(page, "05-signin");
  await browser.close();
  await endChromium();
  await node.dispose();
}

async function useServer(name: string, memoryMb: number, share: number): Promise<void> {
  const container = `orrery-${name}-web`;
  // Memory file systems are charged to the container, and each of these two holds 64 MB.
  const halves = [Math.min(memoryMb, 60), Math.max(0, memoryMb - 60)];
  const hold = ["/dev/shm/held", "/dev/held"].map((file, at) => `head -c ${halves[at]}000000 /dev/zero >${file}`);
  const spin = `while :; do n=0; while [ $n -lt ${Math.round(share * 30_000)} ]; do n=$((n+1)); done; sleep 0.2; done`;
  await docker("exec", container, "sh", "-c", hold.join("; "));
  await docker("exec", "-d", container, "sh", "-c", spin);
}

async function shootNode(): Promise<void> {
  const dashboard: Dashboard = await startDashboard(
    {},
    APPS.map(([name]) => faceOf(name)),
  );
  const { apps, page } = dashboard;
  try {
    await apps.owner.ok("POST /api/setup/node", { name: "attic", mode: "server", starter_apps: [] });
    for (const person of ["mara", "noah"])
      await apps.owner.ok("POST /api/users", { username: person, password: "quiet comets at noon", role: "member" });
    const installed = await Promise.all(APPS.map(([name]) => apps.installed(name, name)));
    for (const [name, memoryMb, share] of APPS) await useServer(name, memoryMb, share);
    await page.setViewportSize(DESK);
    await dashboard.visit("/");
    await page.getByRole("button", { name: "Hide first steps" }).click();
    // Long enough for the live charts to have something to show.
    await Bun.sleep(125_000);
    if (readmePicture !== undefined) {
      await page.mouse.move(0, 0);
      await page.screenshot({ path: readmePicture });
    }
    await shoot(page, "10-home");
    await shootApps(dashboard, installed[2]?.id ?? "");
    await shootRest(dashboard);
  } finally {
    await dashboard.dispose();
  }
}

async function shootApps({ apps, page, visit }: Dashboard, id: string): Promise<void> {
  await visit("/apps");
  await shoot(page, "20-apps");
  await visit(`/apps/${id}`);
  await Bun.sleep(20_000);
  await shoot(page, "21-app");
  await visit(`/apps/${id}?tab=logs`);
  await page
    .getByText(/tick \d/)
    .first()
    .waitFor();
  await shoot(page, "22-app-logs");
  await visit(`/apps/${id}?tab=settings`);
  await shoot(page, "23-app-settings");
  await visit(`/apps/${id}?tab=storage`);
  await shoot(page, "24-app-storage");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Uninstall…" }).click();
  await page.getByRole("checkbox", { name: /Delete the data too/ }).check();
  await shoot(page, "25-uninstall");
  await visit("/store");
  await page.getByRole("heading", { name: "All apps" }).waitFor();
  await shoot(page, "30-store");
  await visit("/store?app=immich");
  await page.getByRole("heading", { name: "What runs" }).waitFor();
  await shoot(page, "31-store-app");
  await visit("/store?q=layers");
  await page.getByRole("button", { name: "Install Test layers" }).click();
  await page.getByText("Takes about").waitFor();
  await shoot(page, "32-install");
  const crashed = await apps.installed("test-crash", apps.freshName("crash"));
  await visit(`/apps/${crashed.id}`);
  await shoot(page, "26-app-failed");
  await docker("kill", "orrery-gitea-web");
  await visit("/");
  await page.getByText("Needs attention").waitFor();
  await shoot(page, "11-home-needs");
  await visit("/store?q=slow");
  await page.getByRole("button", { name: "Install Test slow" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Install", exact: true }).click();
  await page.getByText(/Step \d of/).waitFor();
  await shoot(page, "33-installing");
  await page.getByRole("dialog", { name: /is running/ }).waitFor({ timeout: 30_000 });
  await shoot(page, "34-installed");
}

async function shootRest({ page, visit, apps }: Dashboard): Promise<void> {
  await visit("/users");
  await page.getByRole("table", { name: "Users" }).waitFor();
  await shoot(page, "40-users");
  await page.getByRole("button", { name: "Add user" }).click();
  await page.getByLabel("User name").fill("ida");
  await shoot(page, "41-add-user");
  await visit("/security");
  await page.getByRole("table", { name: "Sessions" }).waitFor();
  await shoot(page, "42-security");
  await visit("/settings");
  await shoot(page, "43-settings");
  for (const [index, path] of PAGES.entries()) {
    await visit(`/${path}`);
    await page.locator("main h1").first().waitFor();
    await shoot(page, `${60 + index}-${path}`);
  }
  await visit("/apps");
  await page.keyboard.press("Control+k");
  await shoot(page, "50-palette");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: new RegExp(`account of ${OWNER.username}`) }).click();
  await shoot(page, "51-account");
  await visit("/nowhere");
  await shoot(page, "52-not-found");
  await visit("/");
  await apps.node.kill();
  await page.getByText(/Server unreachable since/).waitFor();
  await shoot(page, "53-offline");
  await apps.comeBack();
}
