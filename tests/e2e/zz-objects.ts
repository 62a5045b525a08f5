import { join } from "node:path";
import { startNode } from "../kit/binary.ts";
import { endChromium, openBrowser } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { enter } from "../kit/dashboard.ts";

const folder = process.argv[2] ?? "/tmp/zz-objects";
const node = await startNode();
const owner = await setUp(node.url);
const browser = await openBrowser();
await enter(browser, node.url);
const { page } = browser;
await owner.ok("POST /api/objects/buckets", { name: "photos", visibility: "public" });
await owner.ok("POST /api/objects/buckets", { name: "backups", visibility: "private" });
async function shoot(name: string) {
  for (const [size, viewport] of Object.entries({
    1440: { width: 1440, height: 1100 },
    390: { width: 390, height: 1100 },
  })) {
    await page.setViewportSize(viewport);
    for (const theme of ["dark", "light"]) {
      if (size === "1440" && theme === "light") continue;
      await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`), fullPage: true });
    }
  }
}
await page.goto(`${node.url}/objects`);
await page.getByRole("button", { name: "Check now" }).click();
await page.getByText("No damage found").waitFor();
await shoot("page");
await page.setViewportSize({ width: 1440, height: 1100 });
await page.getByRole("button", { name: "Settings of photos" }).click();
await page.getByRole("button", { name: "Add a rule" }).click();
await page.getByLabel("Show it as a website").check();
await shoot("settings");
console.log(browser.complaints, browser.refusals);
await browser.close();
await endChromium();
await node.dispose();
