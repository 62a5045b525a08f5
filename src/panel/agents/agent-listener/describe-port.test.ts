import { expect, test } from "bun:test";
import { describeAgentPort } from "./describe-port.ts";

const FILE = new URL("../../../../docs/agent-openapi.json", import.meta.url);

test("the document beside the protocol is what the port checks with", async () => {
  expect(await Bun.file(FILE).json()).toEqual(JSON.parse(JSON.stringify(describeAgentPort())));
});

test("a heartbeat needs what the contract names and nothing else", () => {
  const document = JSON.parse(JSON.stringify(describeAgentPort()));
  const { schema } = document.paths["/api/agent/v1/heartbeat"].post.requestBody.content["application/json"];
  expect(schema.required).toEqual(["status", "metrics"]);
  expect(Object.keys(schema.properties)).toContain("inventory");
});
