import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import { createHttpApp, guarded } from "../../../tests/kit/http-app.ts";
import { open } from "./access.ts";
import { refuseTwins } from "./twin-routes.ts";

const access = { access: open() };

test.each<[string, (app: ReturnType<typeof guarded>) => Elysia]>([
  ["the same route", (app) => app.get("/api/a", () => 1, access).get("/api/a", () => 2, access) as never],
  [
    "routes that differ in the name of a parameter only",
    (app) => app.get("/api/a/:id", () => 1, access).get("/api/a/:name", () => 2, access) as never,
  ],
  [
    "a route of a part that is used",
    (app) => app.get("/api/a", () => 1, access).use(new Elysia().get("/api/a", () => 2, { detail: {} })) as never,
  ],
])("%s twice in one feature stops the boot", (_what, add) => {
  expect(() => createHttpApp((ctx) => add(guarded(ctx)))).toThrow("is declared twice");
});

test("the same path with other methods, and other paths, pass", () => {
  const http = createHttpApp((ctx) =>
    guarded(ctx)
      .get("/api/a", () => 1, access)
      .post("/api/a", () => 2, access)
      .get("/api/a/:id", () => 3, access),
  );
  expect(http.routes).toHaveLength(4);
});

test("watching ends with the build, also when it fails", () => {
  expect(() =>
    refuseTwins(() => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(() => new Elysia().get("/a", () => 1).get("/a", () => 2)).not.toThrow();
});
