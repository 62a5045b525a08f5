import { expect, test } from "bun:test";
import { writeSpec } from "./run-container.ts";

test("nothing reaches the network, the server's folders or its powers unless it was asked for", () => {
  expect(writeSpec({ image: "nginx", name: "web" }, "docker.io/library/nginx:latest", null)).toEqual({
    Image: "docker.io/library/nginx:latest",
    Labels: {},
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
    null,
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

test("whatever an image says of whose its containers are, one that is run by itself is nobody's", () => {
  const Labels = {
    "com.docker.compose.project": "shop",
    "com.docker.compose.service": "web",
    "orrery.app": "x",
    team: "blue",
  };
  const info = { Id: "sha256:1", Architecture: "amd64", RepoTags: [], RepoDigests: [], Config: { Labels } };
  expect(writeSpec({ image: "web", name: "web" }, "web", info)["Labels"]).toEqual({
    "com.docker.compose.project": "",
    "com.docker.compose.service": "",
    "orrery.app": "",
  });
});
