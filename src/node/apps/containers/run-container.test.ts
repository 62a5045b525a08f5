import { expect, test } from "bun:test";
import { writeSpec } from "./run-container.ts";

test("nothing reaches the network, the server's folders or its powers unless it was asked for", () => {
  expect(writeSpec({ image: "nginx", name: "web" }, "docker.io/library/nginx:latest")).toEqual({
    Image: "docker.io/library/nginx:latest",
    Env: [],
    ExposedPorts: {},
    HostConfig: { PortBindings: {}, Mounts: [], RestartPolicy: { Name: "unless-stopped" } },
  });
  const { HostConfig, ExposedPorts } = writeSpec(
    {
      image: "nginx",
      name: "web",
      ports: [
        { container: 53, host: 53, protocol: "udp", reach: "lan" },
        { container: 80, host: 8080 },
        { container: 80, host: 8081, reach: "lan" },
      ],
      memory_mb: 64,
    },
    "nginx",
  );
  expect(ExposedPorts).toEqual({ "53/udp": {}, "80/tcp": {} });
  expect(HostConfig).toMatchObject({
    Memory: 67_108_864,
    PortBindings: {
      "53/udp": [{ HostIp: "0.0.0.0", HostPort: "53" }],
      "80/tcp": [
        { HostIp: "127.0.0.1", HostPort: "8080" },
        { HostIp: "0.0.0.0", HostPort: "8081" },
      ],
    },
  });
});
