import { afterAll, beforeAll, expect, test } from "bun:test";
import { openS3Node, type S3Node } from "../../../../../tests/kit/s3-node.ts";

let own: S3Node;
beforeAll(async () => {
  own = await openS3Node(["photos"]);
});
afterAll(() => own.close());

const bucket = { bucket: "photos" };

/** Sends a form; the file comes last, as a browser has it. */
async function send(fields: Record<string, string>, file: string | null = "hello", name = "pic.txt") {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (file !== null) form.append("file", new File([file], name));
  const answer = await fetch(`${own.url}/photos`, { method: "POST", body: form, redirect: "manual" });
  const text = await answer.text();
  return { status: answer.status, text, code: /<Code>(.*?)</.exec(text)?.[1] ?? null, headers: answer.headers };
}

test("a signed form stores its file with what its fields say", async () => {
  const signed = own.signForm([
    bucket,
    ["starts-with", "$key", "in/"],
    ["eq", "$Content-Type", "text/plain"],
    ["starts-with", "$x-amz-meta-who", ""],
    ["content-length-range", 1, 300_000],
    { success_action_status: "201" },
  ]);
  const fields = {
    key: ["in/$", "{filename}"].join(""),
    "Content-Type": "text/plain",
    "x-amz-meta-who": "me",
    success_action_status: "201",
    ...signed,
  };
  const done = await send(fields, "x".repeat(250_000));
  expect([done.status, /<Key>(.*?)</.exec(done.text)?.[1]]).toEqual([201, "in/pic.txt"]);
  const { headers, text } = await own.s3("GET", "photos", { key: "in/pic.txt" });
  expect([text.length, headers.get("content-type"), headers.get("x-amz-meta-who")]).toEqual([
    250_000,
    "text/plain",
    "me",
  ]);
});

test("afterwards the browser goes where the form says", async () => {
  const target = "https://app.example/done?a=1";
  const signed = own.signForm([bucket, { key: "b" }, { success_action_redirect: target }]);
  const { status, headers } = await send({ key: "b", success_action_redirect: target, ...signed });
  expect([status, headers.get("location")?.startsWith(`${target}&bucket=photos&key=b&etag=`)]).toEqual([303, true]);
});

test("what the policy does not say is refused, and nothing is kept", async () => {
  const signed = own.signForm([bucket, ["starts-with", "$key", "in/"], ["content-length-range", 3, 10]]);
  const refused: [string, Record<string, string>, string | null, string][] = [
    ["another key", { key: "out/a", ...signed }, "hello", "AccessDenied"],
    ["a field more", { key: "in/a", "x-amz-meta-a": "b", ...signed }, "hello", "AccessDenied"],
    ["a file too large", { key: "in/a", ...signed }, "x".repeat(11), "EntityTooLarge"],
    ["a file too small", { key: "in/a", ...signed }, "x", "EntityTooSmall"],
    ["no file", { key: "in/a", ...signed }, null, "InvalidArgument"],
    ["no key", { ...signed }, "hello", "InvalidArgument"],
    ["no policy", { key: "in/a" }, "hello", "AccessDenied"],
    [
      "another signature",
      { key: "in/a", ...signed, "x-amz-signature": "0".repeat(64) },
      "hello",
      "SignatureDoesNotMatch",
    ],
    [
      "another key of access",
      { key: "in/a", ...signed, "x-amz-credential": "ORX/20260101/us-east-1/s3/aws4_request" },
      "hello",
      "InvalidAccessKeyId",
    ],
    [
      "an old policy",
      { key: "in/a", ...own.signForm([bucket, ["starts-with", "$key", ""]], -1) },
      "hello",
      "AccessDenied",
    ],
    [
      "another bucket",
      { key: "in/a", ...own.signForm([{ bucket: "x" }, ["starts-with", "$key", ""]]) },
      "hello",
      "AccessDenied",
    ],
    ["no condition", { key: "in/a", ...own.signForm([["between", "$key", "a"]]) }, "hello", "InvalidPolicyDocument"],
    [
      "an access list",
      { key: "in/a", acl: "public-read", ...own.signForm([bucket, { acl: "public-read" }, { key: "in/a" }]) },
      "hello",
      "AccessControlListNotSupported",
    ],
    [
      "a line break in a header",
      {
        key: "in/a",
        "Cache-Control": "a\r\nb: c",
        ...own.signForm([bucket, { key: "in/a" }, ["starts-with", "$Cache-Control", ""]]),
      },
      "hello",
      "InvalidArgument",
    ],
  ];
  for (const [what, fields, file, code] of refused)
    expect([what, (await send(fields, file)).code]).toEqual([what, code]);
  expect((await own.s3("HEAD", "photos", { key: "in/a" })).status).toBe(404);
});

test("a body that is no form is refused", async () => {
  const sent = (body: string, type: string) =>
    fetch(`${own.url}/photos`, { method: "POST", body, headers: { "content-type": type } }).then((answer) =>
      answer.text(),
    );
  expect(await sent("x", "text/plain")).toContain("MalformedPOSTRequest");
  expect(await sent("--b\r\nnever ends", "multipart/form-data; boundary=b")).toContain("MalformedPOSTRequest");
  expect(await sent(`--b\r\n${"x".repeat(200_000)}`, "multipart/form-data; boundary=b")).toContain(
    "MalformedPOSTRequest",
  );
});
