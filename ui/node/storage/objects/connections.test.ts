import { expect, test } from "bun:test";
import { linesFor, programs } from "./connections.ts";

const connection = {
  endpoint: { url: "http://127.0.0.1:8430", host: "127.0.0.1", port: 8430, region: "us-east-1", secure: false },
  accessKey: "ORKEY",
  secret: "the-secret",
  bucket: "photos",
};

test.each(programs.map(({ value }) => [value]))("the lines for %s have all that it needs", (program) => {
  const lines = linesFor(program, connection);
  for (const part of ["127.0.0.1:8430", "ORKEY", "the-secret"]) expect(lines).toContain(part);
  expect(lines).not.toContain("undefined");
});
