import { afterAll, expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

const node = createTestNode();
afterAll(() => node.close());

test("the list shows every app to any signed-in user", async () => {
  const { status, body } = await node.call("GET /api/templates", { as: "viewer" });
  expect(status).toBe(200);
  expect(body.length).toBeGreaterThanOrEqual(35);
  expect(body.find((template: { name: string }) => template.name === "gitea")).toMatchObject({
    display_name: "Gitea",
    category: "code",
    icon: "git",
    version: "1.27.2",
    featured: false,
  });
});

test("categories add up to the list", async () => {
  const { body: list } = await node.call("GET /api/templates", { as: "viewer" });
  const { body } = await node.call("GET /api/templates/categories", { as: "viewer" });
  const total = body.reduce((sum: number, category: { count: number }) => sum + category.count, 0);
  expect(total).toBe(list.length);
});

test("the featured app is one of the list", async () => {
  const { status, body } = await node.call("GET /api/templates/featured", { as: "viewer" });
  expect([status, body.featured]).toEqual([200, true]);
});

test("every detail fits its schema", async () => {
  const { body: list } = await node.call("GET /api/templates", { as: "viewer" });
  for (const { name } of list) {
    const { status, body } = await node.call(`GET /api/templates/${name}`, { as: "viewer" });
    expect([name, status, body.images?.length > 0]).toEqual([name, 200, true]);
  }
});

test("a detail tells what an install asks, makes and pulls", async () => {
  const { body } = await node.call("GET /api/templates/nextcloud", { as: "viewer" });
  expect(body.images.map((image: { service: string; pinned: boolean }) => [image.service, image.pinned])).toEqual([
    ["database", true],
    ["redis", true],
    ["nextcloud", true],
    ["cron", true],
  ]);
  expect(body.secrets[0]).toEqual({ key: "ADMIN_PASSWORD", kind: "password", label: "Password of the admin" });
  expect(body.inputs[0]).toMatchObject({ key: "ADMIN_USER", default: "admin", required: true });
  expect(body.ports).toEqual([
    { service: "nextcloud", container: 80, protocol: "tcp", purpose: "Web", publish: "proxy" },
  ]);
});

test("an unknown name is 404 with the nearest one", async () => {
  const { status, body } = await node.call("GET /api/templates/nextclod", { as: "viewer" });
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: "template_not_found", params: { suggestion: "nextcloud" } });
  expect(body.message).toContain("Did you mean nextcloud?");
});
