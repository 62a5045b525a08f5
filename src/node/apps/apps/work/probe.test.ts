import { afterEach, expect, test } from "bun:test";
import { TLS_FIXTURE } from "../../../../../tests/kit/tls-fixture.ts";
import { probeHttp } from "./probe.ts";

const PROXIES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
afterEach(() => {
  for (const name of PROXIES) delete process.env[name];
});

test("an app is asked itself, whatever proxy the environment names", async () => {
  const proxied: string[] = [];
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      proxied.push(request.url);
      return new Response("from the proxy", { status: 200 });
    },
  });
  const app = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("no", { status: 503 }) });
  for (const name of PROXIES) process.env[name] = `http://127.0.0.1:${proxy.port}`;
  const url = `http://127.0.0.1:${app.port}/health`;
  expect(await probeHttp(url, 503)).toBeNull();
  expect(await probeHttp(url, 200)).toBe("it answers 503 instead of 200");
  await app.stop(true);
  expect(await probeHttp(url, 200)).toBe("it does not answer yet");
  expect(proxied).toEqual([]);
  await proxy.stop(true);
});

test("a redirect is an answer, and a certificate of the app's own is taken", async () => {
  const fetch = () => Response.redirect("/login", 302);
  const app = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  const secure = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch, tls: TLS_FIXTURE });
  expect(await probeHttp(`http://127.0.0.1:${app.port}/`, 302)).toBeNull();
  expect(await probeHttp(`https://127.0.0.1:${secure.port}/`, 302)).toBeNull();
  await app.stop(true);
  await secure.stop(true);
});
