import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { type DavNode, lockInfo, openDavNode } from "../../../../tests/kit/dav-node.ts";
import { until } from "../../../../tests/kit/until.ts";
import { keepWaiting } from "../../../../tests/kit/waiting-crowd.ts";

let world: DavNode;
beforeEach(async () => {
  world = await openDavNode();
});
afterEach(() => world.close());

const put = (path: string) => world.dav(`PUT ${path}`, { body: "x" });
const lock = (path: string, scope: string, depth: string) =>
  world.dav(`LOCK ${path}`, { body: lockInfo(scope), headers: { depth } });
const propfind = (path: string, inside: string, depth = "0") =>
  world.dav(`PROPFIND ${path}`, {
    body: `<D:propfind xmlns:D="DAV:" xmlns:x="urn:x">${inside}</D:propfind>`,
    headers: { depth },
  });
const set = (path: string, inside: string) =>
  world.dav(`PROPPATCH ${path}`, {
    body: `<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop>${inside}</D:prop></D:set></D:propertyupdate>`,
  });

test("a property that is asked for a thousand times is told once, and many at a time are refused", async () => {
  await put("/a");
  await set("/a", `<x:long>${"v".repeat(50_000)}</x:long>`);
  const told = await propfind("/a", `<D:prop>${"<x:long/>".repeat(1_000)}</D:prop>`);
  expect([told.status, told.text.split("</x:long>").length]).toEqual([207, 2]);
  const names = Array.from({ length: 201 }, (_, at) => `<x:n${at}/>`).join("");
  for (const inside of [`<D:prop>${names}</D:prop>`, `<D:allprop/><D:include>${names}</D:include>`])
    expect((await propfind("/a", inside)).status).toBe(400);
});

test("what a file keeps for programs is bounded as a whole, and can be made less", async () => {
  await put("/a");
  const half = `<x:one>${"v".repeat(40_000)}</x:one>`;
  expect((await set("/a", half)).status).toBe(207);
  expect((await set("/a", half)).status).toBe(207);
  expect((await set("/a", half.replaceAll("one", "two"))).status).toBe(507);
  expect((await propfind("/a", "<D:allprop/>")).text).not.toContain("two>");
  expect((await set("/a", "<x:one>less</x:one>")).status).toBe(207);
  expect((await set("/a", half.replaceAll("one", "two"))).status).toBe(207);
});

test("shared locks that hold for one thing are bounded, on it, above and below", async () => {
  await world.dav("MKCOL /d");
  await put("/d/a");
  for (let at = 0; at < 5; at += 1) expect((await lock("/d/a", "shared", "0")).status).toBe(200);
  for (let at = 0; at < 5; at += 1) expect((await lock("/d", "shared", "infinity")).status).toBe(200);
  for (const [path, depth] of [
    ["/d/a", "0"],
    ["/d", "infinity"],
    ["/", "infinity"],
  ] as const)
    expect((await lock(path, "shared", depth)).status).toBe(507);
  await put("/b");
  expect((await lock("/b", "shared", "0")).status).toBe(200);
});

test("thousands of conditions about one address cost one look at it", async () => {
  await put("/a");
  const asked = spyOn(world.node.ctx.db.raw, "query");
  const ask = async (times: number) => {
    asked.mockClear();
    const header = `(${"Not <urn:none> ".repeat(times)}) ${'(["none"])'.repeat(times)}`;
    expect((await world.dav("PUT /a", { body: "y", headers: { if: header } })).status).toBe(204);
    const refused = '(["none"])'.repeat(times);
    expect((await world.dav("PUT /a", { body: "y", headers: { if: refused } })).status).toBe(412);
    return asked.mock.calls.length;
  };
  await ask(1);
  expect(await ask(500)).toBe(await ask(1));
  asked.mockRestore();
});

test("twenty addresses of one header share the look at their folders and at the locks, and more are refused", async () => {
  for (const path of ["/d", "/d/d", "/d/d/d"]) await world.dav(`MKCOL ${path}`);
  await put("/a");
  const locked = (await lock("/d/d", "exclusive", "infinity")).headers.get("lock-token") ?? "";
  const asked = spyOn(world.node.ctx.db.raw, "query");
  const ask = async (count: number, last = "") => {
    asked.mockClear();
    const lists = Array.from({ length: count }, (_, at) => `</dav/drive/d/d/d/${at}>(<urn:none>)`).join("");
    const { status } = await world.dav("PUT /a", { body: "y", headers: { if: `${lists}${last}` } });
    return [status, asked.mock.calls.length] as const;
  };
  const [, one] = await ask(1);
  const [refused, many] = await ask(20);
  expect(refused).toBe(412);
  // One look for each name that no other address has.
  expect(many - one).toBeLessThanOrEqual(19);
  expect((await ask(19, `</dav/drive/d/d/d/x>(${locked})`))[0]).toBe(204);
  expect((await ask(21))[0]).toBe(400);
  expect((await ask(500))[0]).toBe(400);
  const deep = ["a", "b", "c"].map((name) => `</dav/drive/${`${name}/`.repeat(150)}>(<urn:none>)`);
  expect((await ask(1, deep.slice(0, 2).join("")))[0]).toBe(412);
  expect((await ask(1, deep.join("")))[0]).toBe(400);
  asked.mockRestore();
});

test("a listing leaves in pieces, however much its files keep", async () => {
  await world.dav("MKCOL /d");
  const names = Array.from({ length: 30 }, (_, at) => `f${at}`);
  for (const name of names) {
    await put(`/d/${name}`);
    await set(`/d/${name}`, `<x:long>${"v".repeat(60_000)}</x:long>`);
  }
  const { password, username } = (
    await world.node.call("POST /api/drive/webdav-passwords", { as: "admin", body: { name: "pieces" } })
  ).body;
  const answer = await world.node.fetch(
    new Request("http://localhost/dav/drive/d", {
      method: "PROPFIND",
      headers: { host: "localhost", depth: "1", authorization: `Basic ${btoa(`${username}:${password}`)}` },
    }),
  );
  const sizes: number[] = [];
  let text = "";
  for await (const piece of answer.body ?? []) {
    sizes.push(piece.length);
    text += new TextDecoder().decode(piece);
  }
  expect(Math.max(...sizes)).toBeLessThan(512 * 1024);
  for (const name of names) expect(text).toContain(`/d/${name}<`);
  expect(text.trim()).toEndWith("</D:multistatus>");
});

test("files that come slowly keep no more than so many open, of one account alone", async () => {
  const member = await world.as("member");
  const ends: (() => void)[] = [];
  const slow = Array.from({ length: 64 }, (_, at) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("x"));
        ends.push(() => controller.close());
      },
    });
    return world.dav(`PUT /s${at}`, { body });
  });
  await until(async () => (await put("/one-more")).status === 429, { what: "the crowd" });
  expect((await member("PUT /mine", { body: "x" })).status).toBe(201);
  for (const end of ends) end();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 201));
  expect((await world.dav("PUT /after", { body: "x" })).status).toBe(201);
});

test("what a Drive keeps for programs is bounded, also where a folder is copied", async () => {
  await world.dav("MKCOL /d");
  await put("/d/a");
  await set("/d/a", `<x:one>${"v".repeat(50_000)}</x:one>`);
  const { raw } = world.node.ctx.db;
  const count = 1_100;
  raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, sha256, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       SELECT 'drv_many' || at, d.user_id, d.parent_id, 'f' || at, 'f' || at, 1, d.sha256, 1, 0, 0
       FROM n, drive_nodes d WHERE d.name = 'a'`,
    )
    .run(count);
  raw
    .query(
      `INSERT INTO dav_properties (user_id, node_id, namespace, name, element)
       SELECT p.user_id, n.id, p.namespace, p.name, p.element FROM dav_properties p, drive_nodes n WHERE n.id LIKE 'drv_many%'`,
    )
    .run();
  const copied = await world.dav("COPY /d", { headers: { destination: "/dav/drive/e" } });
  expect([copied.status, copied.text]).toEqual([507, expect.stringContaining("dav_property_limit")]);
  expect((await world.dav("PROPFIND /e", { headers: { depth: "0" } })).status).toBe(404);
  // What the copy had come to leaves a part at a time.
  await until(async () => (await set("/d", "<x:one>small</x:one>")).status === 207, { what: "room again" });
  expect((await world.dav("COPY /d/a", { headers: { destination: "/dav/drive/a" } })).status).toBe(201);
});

test("a refusal names some of the locks in its way, and looks each place up once", async () => {
  await world.dav("MKCOL /d");
  for (let at = 0; at < 25; at += 1) {
    await put(`/d/${at}`);
    for (let more = 0; more < 2; more += 1) await lock(`/d/${at}`, "shared", "0");
  }
  const looked = spyOn(world.node.ctx.db.raw, "query");
  const places = () => looked.mock.calls.filter(([text]) => text.includes("SELECT n.name FROM way")).length;
  const refused = await world.dav("DELETE /d");
  expect([refused.status, refused.text.split("<D:href>").length - 1, places()]).toEqual([423, 20, 20]);
  looked.mockClear();
  const told = await propfind("/d", "<D:prop><D:lockdiscovery/></D:prop>", "1");
  expect([told.text.split("<D:activelock>").length - 1, places()]).toEqual([50, 25]);
  looked.mockRestore();
});

/** Puts so many more files beside `/d/a`. */
const fill = (count: number) =>
  void world.node.ctx.db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, name, folded, is_file, sha256, size_bytes, created_at, changed_at)
       WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
       SELECT 'drv_many' || at, d.user_id, d.parent_id, 'f' || at, 'f' || at, 1, d.sha256, 1, 0, 0
       FROM n, drive_nodes d WHERE d.name = 'a'`,
    )
    .run(count);

test("others have their turn between the pages of a listing", async () => {
  await world.dav("MKCOL /d");
  await put("/d/a");
  fill(2_000);
  const crowd = keepWaiting(world.node.ctx.takeTurn, ["other", ""], 50);
  const { status, text } = await propfind("/d", "<D:propname/>", "1");
  crowd.end();
  expect([status, text.split("</D:response>").length]).toEqual([207, 2_003]);
  expect(crowd.turns()).toBeGreaterThanOrEqual(10);
});

test("of the locks on a folder a listing tells one with each file, and all where it is asked for the file alone", async () => {
  await world.dav("MKCOL /d");
  await put("/d/a");
  for (let at = 0; at < 5; at += 1) expect((await lock("/d", "shared", "infinity")).status).toBe(200);
  expect((await lock("/d/a", "shared", "0")).status).toBe(200);
  const told = async (path: string, depth: string) =>
    (await propfind(path, "<D:prop><D:lockdiscovery/></D:prop>", depth)).text
      .split("</D:response>")
      .map((response) => response.split("</D:activelock>").length - 1);
  expect(await told("/d", "1")).toEqual([5, 2, 0]);
  expect(await told("/d/a", "0")).toEqual([6, 0]);
});

test("long listings that nobody takes are bounded for an account, and those of others are answered", async () => {
  await world.dav("MKCOL /d");
  await put("/d/a");
  fill(1_500);
  const { password, username } = (
    await world.node.call("POST /api/drive/webdav-passwords", { as: "admin", body: { name: "long" } })
  ).body;
  const ask = () =>
    world.node.fetch(
      new Request("http://localhost/dav/drive/d", {
        method: "PROPFIND",
        headers: { host: "localhost", depth: "1", authorization: `Basic ${btoa(`${username}:${password}`)}` },
      }),
    );
  const taken: Response[] = [];
  for (let at = 0; at < 8; at += 1) taken.push(await ask());
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await propfind("/", "<D:propname/>", "1")).status).toBe(207);
  for (const { status, body } of taken) {
    expect(status).toBe(207);
    await body?.cancel();
  }
  expect((await propfind("/d", "<D:propname/>", "1")).text).toEndWith("</D:multistatus>\n");
});
