import { expect, test } from "bun:test";
import { join } from "node:path";

test("questions to this host never go through a proxy, whatever the environment says", async () => {
  const asked: string[] = [];
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(request.url);
      return new Response("from the proxy", { status: 502 });
    },
  });
  const service = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ version: "1.0.0" }) });
  const at = `http://127.0.0.1:${proxy.port}`;
  const script = `
    import { createHost } from ${JSON.stringify(join(import.meta.dir, "host.ts"))};
    const url = "http://127.0.0.1:${service.port}/";
    const direct = await createHost().get(url);
    const proxied = await fetch(url);
    console.log(JSON.stringify({ direct, proxied: proxied.status }));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { PATH: process.env["PATH"] ?? "", HTTP_PROXY: at, http_proxy: at, NO_PROXY: "", no_proxy: "" },
    stdout: "pipe",
  });
  const said = await child.stdout.text();
  await Promise.all([proxy.stop(true), service.stop(true)]);
  // The second one shows that the proxy was really in force.
  expect(JSON.parse(said)).toEqual({ direct: { status: 200, body: { version: "1.0.0" } }, proxied: 502 });
  expect(asked).toHaveLength(1);
});
