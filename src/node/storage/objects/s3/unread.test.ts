import { expect, spyOn, test } from "bun:test";
import { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { seconds } from "../../../../lib/duration.ts";
import { MOST_WAITING } from "./one-at-a-time.ts";

/** Names that XML writes six times as long. */
const longName = (no: number): string => `${no}`.padStart(4, "0") + '"'.repeat(1_020);

/** A request that tells of a thousand objects, none of which is there, and whose answer has six megabytes. */
function tellOfMany({ s3 }: S3Node): { head: string; body: string } {
  const objects = Array.from({ length: 1_000 }, (_, no) => `<Object><Key>${longName(no)}</Key></Object>`);
  const body = `<Delete>${objects.join("")}</Delete>`;
  return { head: headOf(s3.lasting("POST", "box", { query: { delete: "" } }), "POST", body.length), body };
}

function headOf({ path, headers }: ReturnType<S3Node["s3"]["lasting"]>, method: string, length = 0): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}Content-Length: ${length}\r\n\r\n`;
}

/** Sends bytes, and takes nothing of what is answered until it is resumed. */
function begin({ url }: S3Node, bytes: string): { socket: Socket; isClosed: () => boolean } {
  const { hostname, port } = new URL(url);
  let isClosed = false;
  const socket = connect(Number(port), hostname, () => void socket.write(bytes));
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("error", () => {});
  socket.pause();
  return { socket, isClosed: () => isClosed };
}

/** Counts answers that are begun from here on. */
function countAnswers() {
  const begun = spyOn(ServerResponse.prototype, "writeHead");
  return { count: () => begun.mock.calls.length, end: () => begun.mockRestore() };
}

test("the next request of a connection is answered when the answer before has left, and in its order", async () => {
  const s3 = await openS3Node(["box"]);
  const { head, body } = tellOfMany(s3);
  const answers = countAnswers();
  const small = headOf(s3.s3.lasting("GET", "box", { query: { location: "" } }), "GET");
  const { socket } = begin(s3, head + body + small.repeat(3));
  await until(() => answers.count() > 0, { what: "the first answer" });
  expect((await s3.s3("GET", "box")).status).toBe(200);
  expect(answers.count()).toBe(2);
  let text = "";
  socket.setEncoding("latin1").on("data", (more: string) => {
    text += more;
  });
  socket.resume();
  await until(() => text.split("</LocationConstraint>").length === 4, { what: "all answers" });
  expect(answers.count()).toBe(5);
  expect(text.indexOf("<DeleteResult")).toBeLessThan(text.indexOf("<LocationConstraint"));
  answers.end();
  socket.destroy();
  await s3.close();
});

test("a connection that sends request after request and waits for no answer ends, and what it asked is not answered", async () => {
  const s3 = await openS3Node(["box"]);
  const { head, body } = tellOfMany(s3);
  const small = headOf(s3.s3.lasting("GET", "box"), "GET");
  const listed = spyOn(s3.node.ctx.objectStore, "list");
  const enough = begin(s3, head + body + small.repeat(MOST_WAITING));
  const tooMuch = begin(s3, head + body + small.repeat(MOST_WAITING + 1));
  tooMuch.socket.resume();
  await until(tooMuch.isClosed, { what: "its end" });
  expect([enough.isClosed(), listed.mock.calls.length]).toEqual([false, 0]);
  enough.socket.resume();
  await until(() => listed.mock.calls.length === MOST_WAITING, { what: "the others" });
  listed.mockRestore();
  enough.socket.destroy();
  await s3.close();
});

test("whoever takes nothing of an answer in XML for a minute is cut off", async () => {
  const s3 = await openS3Node(["box"]);
  const { head, body } = tellOfMany(s3);
  const answers = countAnswers();
  const ended = spyOn(ServerResponse.prototype, "destroy");
  const { socket, isClosed } = begin(s3, head + body);
  await until(() => answers.count() > 0, { what: "the answer" });
  await s3.node.clock.advance(seconds(59));
  expect(ended.mock.calls.length).toBe(0);
  await s3.node.clock.advance(seconds(1));
  expect(ended.mock.calls.length).toBe(1);
  answers.end();
  ended.mockRestore();
  socket.resume();
  await until(isClosed, { what: "the end of the connection" });
  await s3.close();
});

test("what a key leaves unread counts: there are no more large answers for it, small ones there are, and all once it is read", async () => {
  const s3 = await openS3Node(["box"]);
  const { head, body } = tellOfMany(s3);
  const answers = countAnswers();
  const readers = Array.from({ length: 8 }, () => begin(s3, head + body));
  await until(() => answers.count() === 8, { what: "answers to all" });
  const statuses = watchStatuses(readers);
  const ask = () => s3.s3("POST", "box", { query: { delete: "" }, body });
  const refused = await ask();
  expect([refused.status, refused.code, refused.headers.get("retry-after")]).toEqual([503, "SlowDown", "1"]);
  expect((await s3.s3("GET", "box")).status).toBe(200);
  for (const { socket } of readers) socket.resume();
  await until(async () => (await ask()).status === 200, { what: "room again" });
  const known = statuses();
  expect([known.filter((one) => one === "200").length, known.filter((one) => one === "503").length]).toEqual([5, 3]);
  answers.end();
  for (const { socket } of readers) socket.destroy();
  await s3.close();
});

/** The status of the first answer that each reader gets. */
function watchStatuses(readers: readonly { socket: Socket }[]): () => string[] {
  const statuses: string[] = [];
  for (const { socket } of readers)
    socket.once("data", (bytes) => void statuses.push(String(bytes).slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)));
  for (const { socket } of readers) socket.pause();
  return () => statuses;
}

/** Keys and folders of a list. */
const namesOf = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/<Key>(.*?)<\/Key>|<CommonPrefixes><Prefix>(.*?)<\/Prefix>/g)].map(
    ([, key, folder]) => key ?? folder ?? "",
  );

test("a list with very long names goes on with another page, and nothing is left out or told twice", async () => {
  const s3 = await openS3Node(["box"]);
  const names = Array.from({ length: 240 }, (_, no) =>
    no % 3 === 0 ? `${longName(no).slice(0, 900)}/a` : longName(no),
  );
  await Promise.all(names.map((key) => s3.s3("PUT", "box", { key, body: "x" })));
  const expected = names.map((name) => name.replace(/a$/, "").replaceAll('"', "&quot;"));
  const ways: [start: Record<string, string>, next: string, go: string][] = [
    [{ "list-type": "2" }, "NextContinuationToken", "continuation-token"],
    [{}, "NextMarker", "marker"],
    [{ versions: "" }, "NextKeyMarker", "key-marker"],
  ];
  for (const [start, next, go] of ways) {
    const found: string[] = [];
    let pages = 0;
    for (let query: Record<string, string> | null = { ...start, delimiter: "/" }; query !== null; pages += 1) {
      const page = await s3.s3("GET", "box", { query });
      expect(page.text.length).toBeLessThan(1_100_000);
      found.push(...namesOf(page));
      const after = new RegExp(`<${next}>(.*?)</${next}>`).exec(page.text)?.[1]?.replaceAll("&quot;", '"');
      expect(page.text).toContain(`<IsTruncated>${after !== undefined}</IsTruncated>`);
      query = after === undefined ? null : { ...start, delimiter: "/", [go]: after };
    }
    expect([pages, [...found].sort()]).toEqual([2, expected.sort()]);
  }
  await s3.close();
});
