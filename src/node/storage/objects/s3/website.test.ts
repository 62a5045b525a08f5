import { afterAll, beforeAll, expect, test } from "bun:test";
import { request } from "node:http";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";

let own: S3Node;
const SITE = "open-site";
const HOSTED = "open.example.org";

beforeAll(async () => {
  own = await openS3Node([SITE, HOSTED, "open-files", "closed"]);
  const body =
    "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument><ErrorDocument><Key>lost.html</Key></ErrorDocument></WebsiteConfiguration>";
  for (const bucket of [SITE, HOSTED, "closed"]) {
    expect((await own.s3("PUT", bucket, { query: { website: "" }, body })).status).toBe(200);
    for (const key of ["index.html", "sub/index.html", "lost.html"])
      await own.s3("PUT", bucket, { key, body: `${key} of ${bucket}`, headers: { "content-type": "text/html" } });
  }
});
afterAll(() => own.close());

const visit = (path: string) => fetch(`${own.url}/${path}`, { redirect: "manual" });

test("a visitor is given the index, the page, and the page of errors", async () => {
  const seen = async (path: string) => {
    const answer = await visit(path);
    return [answer.status, await answer.text()];
  };
  expect(await seen(`${SITE}/`)).toEqual([200, `index.html of ${SITE}`]);
  expect(await seen(`${SITE}/sub/`)).toEqual([200, `sub/index.html of ${SITE}`]);
  expect(await seen(`${SITE}/sub/index.html`)).toEqual([200, `sub/index.html of ${SITE}`]);
  expect(await seen(`${SITE}/nothing`)).toEqual([404, `lost.html of ${SITE}`]);
  expect((await visit(`${SITE}/sub`)).headers.get("location")).toBe(`/${SITE}/sub/`);
  expect((await visit(SITE)).headers.get("location")).toBe(`/${SITE}/`);
});

test("its scripts run without an origin, so that no site reads another", async () => {
  const { headers } = await visit(`${SITE}/`);
  expect(headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts(?!.*allow-same-origin)/);
});

test("a bucket with the name of a host is the website of that host", async () => {
  const { port } = new URL(own.url);
  const { status, text, policy } = await new Promise<{ status: number; text: string; policy: unknown }>((resolve) => {
    const asked = request({ port, host: "127.0.0.1", path: "/sub/", headers: { host: `${HOSTED}:80` } }, (response) => {
      let all = "";
      response.on("data", (part) => {
        all += part;
      });
      response.on("end", () => {
        const given = response.headers["content-security-policy"];
        resolve({ status: response.statusCode ?? 0, text: all, policy: given });
      });
    });
    asked.end();
  });
  expect([status, text, policy]).toEqual([200, `sub/index.html of ${HOSTED}`, undefined]);
});

test("a bucket that is not public, or no website, shows nothing more than before", async () => {
  expect((await visit("closed/")).status).toBe(403);
  expect((await visit("closed/index.html")).status).toBe(403);
  expect((await visit("open-files/")).status).toBe(403);
  expect((await own.s3("GET", SITE, { query: { "list-type": "2" } })).text).toContain("<Key>index.html</Key>");
  await own.s3("DELETE", "closed", { query: { website: "" } });
  expect((await own.s3("GET", "closed", { query: { website: "" } })).code).toBe("NoSuchWebsiteConfiguration");
});
