import { expect, test } from "bun:test";
import { installCommand } from "./connect-command.ts";

const origin = { request: new Request("http://panel.example.org:8430/"), ip: "", isHttps: false };
const deps = (release_base: string): Parameters<typeof installCommand>[0] => {
  const config = { release_base, public_url: "https://panel.example.org", agent_names: [] };
  // @ts-expect-error only what the line is made of
  return { config, nodes: { authority: () => ({ pin: () => "sha256:abc" }) }, agentPort: { port: () => 8443 } };
};

test("a bare server gets one line that brings the tools, runs the whole installer and connects", () => {
  expect(installCommand(deps("https://example.org/orrery"), origin, "ort_x")).toBe(
    "({ command -v curl && command -v openssl; } >/dev/null || { apt-get update && apt-get install -y ca-certificates curl openssl; }) && " +
      "script=$(curl -fsSL 'https://example.org/orrery'/install.sh) && " +
      "ORRERY_RELEASE_BASE='https://example.org/orrery' sh -c \"$script\" && " +
      "/usr/local/bin/orrery-node connect --panel https://panel.example.org:8443 --token ort_x --pin sha256:abc",
  );
});

test("without a release base there is no such line, and a base cannot leave its quotes", () => {
  expect(installCommand(deps(""), origin, "ort_x")).toBeNull();
  const line = installCommand(deps("https://example.org/it's;reboot"), origin, "ort_x") ?? "";
  expect(line).toContain("'https://example.org/it%27s;reboot'/install.sh");
  expect(line.replace(/'[^']*'/g, "")).not.toContain("reboot");
});
