import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineNode, endAll, startEngineNode } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { until } from "../kit/until.ts";

const ODD = 'it\'s "odd"\n-rf $(id) ü';
const FOLDER = '-rf it\'s "odd" $(id)';

suite("the files of an app", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  let container: string;
  const shell = (script: string, ...words: string[]) =>
    engine.docker("exec", "-u", "0", container, "sh", "-c", script, "sh", ...words);
  const query = (path: string) => `volume=data&path=${encodeURIComponent(path)}`;
  const list = (path: string) => node.call(`GET /api/apps/${id}/files?${query(path)}`);
  const names = async (path: string) =>
    (await list(path)).body.entries.map(({ name, kind }: { name: string; kind: string }) => `${kind} ${name}`);
  const get = (path: string) =>
    node.handle(new Request(`http://localhost/api/apps/${id}/files/content?${query(path)}`, { headers: node.headers }));
  const change = (route: string, body: object) =>
    node.call(`POST /api/apps/${id}/files/${route}`, { volume: "data", ...body });

  beforeAll(async () => {
    engine = await startOwnEngine(128);
    node = await startEngineNode({ socket: engine.socket });
    ({ id, container } = await node.run("test-web"));
    await shell(
      `cd /data && mkdir -p top/deep && chown 1234:1234 top && printf 'hello there' >top/note.txt &&
       printf 'odd one' >"$1" && head -c 3000000 /dev/urandom >top/big.bin && mkfifo top/pipe &&
       ln -s /etc/passwd top/outside && ln -s / top/root && ln -s top same`,
      ODD,
    );
  });
  afterAll(() => endAll({ node, id, engine }), 120_000);

  test("a folder is listed, whatever its names are", async () => {
    const { status, body } = await list("");
    expect([status, body.volume, body.path, body.is_cut]).toEqual([200, "data", "", false]);
    expect(body.entries.find(({ name }: { name: string }) => name === ODD)).toMatchObject({
      kind: "file",
      size_bytes: 7,
    });
    expect(await names("top")).toEqual([
      "folder deep",
      "file big.bin",
      "file note.txt",
      "link outside",
      "other pipe",
      "link root",
    ]);
    expect((await list("nowhere")).body.code).toBe("app_file_not_found");
    expect((await list("top/note.txt")).body.code).toBe("app_file_not_found");
    const elsewhere = await node.call(`GET /api/apps/${id}/files?volume=other&path=`);
    expect(elsewhere.body.code).toBe("app_volume_not_found");
  });

  test("nothing leads out of the volume", async () => {
    for (const path of ["top/root", "top/root/etc", "same/deep"])
      expect((await list(path)).body.code).toBe("app_file_is_link");
    for (const path of ["top/outside", "top/root/etc/passwd", "same/note.txt"])
      expect([(await get(path)).status, path]).toEqual([409, path]);
    for (const path of ["..", "top/../..", "/etc", "top//deep", "./top", "a\0b"])
      expect([(await list(path)).body.code, path]).toEqual(["invalid_request", path]);
    for (const name of ["..", "a/b", ""])
      expect((await change("rename", { path: "top/note.txt", name })).body.code).toBe("invalid_request");
    expect((await change("folders", { path: "top/root", name: "made" })).body.code).toBe("app_file_is_link");
    expect((await node.call(`DELETE /api/apps/${id}/files?${query("same/note.txt")}`)).body.code).toBe(
      "app_file_is_link",
    );
    expect((await node.call(`DELETE /api/apps/${id}/files?${query("")}`)).body.code).toBe("invalid_request");
  });

  test("a file comes as it is, a folder as an archive; neither leaves a container behind", async () => {
    const note = await get("top/note.txt");
    expect([note.headers.get("content-length"), await note.text()]).toEqual(["11", "hello there"]);
    expect(note.headers.get("content-disposition")).toStartWith("attachment; filename=");
    expect(await (await get(ODD)).text()).toBe("odd one");
    const big = new Bun.CryptoHasher("sha256").update(await (await get("top/big.bin")).arrayBuffer()).digest("hex");
    expect(await shell("sha256sum /data/top/big.bin")).toStartWith(big);
    const archive = Buffer.from(await (await get("top")).arrayBuffer());
    const tar = Bun.spawnSync(["tar", "-tf", "-"], { stdin: archive }).stdout.toString().split("\n");
    expect(tar).toContain("top/note.txt");
    expect(tar).toContain("top/outside");
    // Somebody who leaves in the middle.
    await (await get("")).body?.cancel();
    await until(async () => !(await engine.docker("ps", "-a", "--format", "{{.Names}}")).includes("-files-"), {
      what: "the last container to go",
    });
  });

  test("a file comes in parts, whole or not at all, and belongs to whom its folder belongs", async () => {
    const begin = (body: object) => change("uploads", { path: "top", name: "new.bin", size_bytes: 5_000_000, ...body });
    const put = async (upload: string, offset: number, body: Uint8Array) => {
      const url = `http://localhost/api/apps/${id}/files/uploads/${upload}?offset=${offset}`;
      const answer = await node.handle(new Request(url, { method: "PUT", headers: node.headers, body }));
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    const content = crypto.getRandomValues(new Uint8Array(5_000_000).subarray(0, 65_536));
    const file = Buffer.concat(Array.from({ length: 77 }, () => content)).subarray(0, 5_000_000);
    const { upload_id, part_bytes } = (await begin({})).body;
    expect((await put(upload_id, 1, file.subarray(0, 10))).body).toMatchObject({ code: "app_upload_out_of_step" });
    expect((await put(upload_id, 0, file.subarray(0, part_bytes))).body).toEqual({
      received_bytes: part_bytes,
      is_done: false,
    });
    expect(await names("top")).not.toContain("file new.bin");
    expect(
      (await put(upload_id, part_bytes, Buffer.concat([file.subarray(part_bytes), Buffer.from("x")]))).body.code,
    ).toBe("app_upload_too_much");
    const { received } = (await put(upload_id, 0, file.subarray(0, 10))).body.params;
    expect((await put(upload_id, received, file.subarray(received))).body).toEqual({
      received_bytes: 5_000_000,
      is_done: true,
    });
    const digest = new Bun.CryptoHasher("sha256").update(file).digest("hex");
    expect(await shell("sha256sum /data/top/new.bin")).toStartWith(digest);
    expect(await shell("stat -c %u:%g:%a /data/top/new.bin")).toBe("1234:1234:644");

    await shell("chmod 600 /data/top/note.txt");
    expect((await begin({ name: "note.txt", size_bytes: 3 })).body.code).toBe("app_file_exists");
    expect((await begin({ name: "outside", size_bytes: 3, overwrite: true })).body.code).toBe("app_file_is_link");
    expect((await begin({ size_bytes: 4 * 1024 ** 3, overwrite: true })).body.code).toBe("app_files_no_room");
    const over = (await begin({ name: "note.txt", size_bytes: 11, overwrite: true })).body.upload_id;
    expect((await put(over, 0, Buffer.from("hello again"))).body.is_done).toBe(true);
    expect(await shell("stat -c %a /data/top/note.txt; cat /data/top/note.txt")).toBe("600\nhello again");

    const left = (await begin({ name: "left.bin" })).body.upload_id;
    await put(left, 0, file.subarray(0, 100_000));
    expect((await node.call(`DELETE /api/apps/${id}/files/uploads/${left}`)).status).toBe(200);
    expect((await put(left, 100_000, file)).body.code).toBe("app_upload_not_found");
    expect(await shell("ls -A /data/top")).not.toMatch(/left|orrery/);
    const empty = (await begin({ name: "empty", size_bytes: 0 })).body.upload_id;
    expect((await put(empty, 0, new Uint8Array(0))).body.is_done).toBe(true);

    const crowd = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => begin({ name, size_bytes: 9 })));
    expect(crowd.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 409, 409]);
    for (const { status, body } of crowd)
      if (status === 200) await node.call(`DELETE /api/apps/${id}/files/uploads/${body.upload_id}`);
  });

  test("a file of somebody who is no admin any more when its last byte comes is not put in its place", async () => {
    const account = { username: "former", password: "a long enough phrase" };
    const { id: former } = (await node.call("POST /api/users", { ...account, role: "admin" })).body;
    const { access_token } = (await node.call("POST /api/auth/login", account)).body;
    const send = async (method: string, path: string, type: string, body: string | ReadableStream) => {
      const headers = { authorization: `Bearer ${access_token}`, "content-type": type };
      const url = `http://localhost/api/apps/${id}/files/uploads${path}`;
      const answer = await node.handle(new Request(url, { method, headers, body }));
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    const file = JSON.stringify({ volume: "data", path: "top", name: "late.bin", size_bytes: 4 });
    const { upload_id } = (await send("POST", "", "application/json", file)).body;
    const source = {
      async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        await node.call(`PATCH /api/users/${former}`, { role: "member" });
        controller.enqueue(Buffer.from("late"));
        controller.close();
      },
    };
    const slow = new ReadableStream(source, { highWaterMark: 0 });
    expect((await send("PUT", `/${upload_id}?offset=0`, "application/octet-stream", slow)).status).toBe(401);
    expect(await names("top")).not.toContain("file late.bin");
  });

  test("folders are made, things renamed and removed, and each is put on record", async () => {
    expect((await change("folders", { path: "top", name: FOLDER })).status).toBe(200);
    expect((await change("folders", { path: "top", name: FOLDER })).body.code).toBe("app_file_exists");
    expect(await shell('stat -c %u:%g "/data/top/$1"', FOLDER)).toBe("1234:1234");
    expect((await change("rename", { path: `top/${FOLDER}`, name: "-plain" })).status).toBe(200);
    expect((await change("rename", { path: "top/-plain", name: "note.txt" })).body.code).toBe("app_file_exists");
    expect((await change("rename", { path: "top/none", name: "x" })).body.code).toBe("app_file_not_found");
    const remove = (path: string) => node.call(`DELETE /api/apps/${id}/files?${query(path)}`);
    expect((await remove("top/-plain")).status).toBe(200);
    // The link goes, and not what it leads to.
    expect((await remove("same")).status).toBe(200);
    expect((await remove("same")).body.code).toBe("app_file_not_found");
    expect(await names("top")).toContain("file note.txt");
    const { body } = await node.call("GET /api/audit/logs?limit=100");
    const actions = body.map(({ action }: { action: string }) => action);
    for (const action of ["downloaded", "uploaded", "folder_made", "renamed", "removed"])
      expect(actions).toContain(`app_file.${action}`);
    expect((await node.call(`GET /api/apps/${id}`)).body.status).toBe("running");
  });
});
