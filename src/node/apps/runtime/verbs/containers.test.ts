import { expect, test } from "bun:test";
import { EngineError } from "../engine-wire.ts";
import { containerVerbs } from "./containers.ts";

/** Verbs of an engine that refuses in these ways, one after the other, and then does what it is asked; with what it was asked. */
function refusing(...refusals: EngineError[]) {
  const asked: string[] = [];
  const verbs = containerVerbs({
    async call<T>(method: string, path: string): Promise<T> {
      asked.push(`${method} ${path}`);
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      return JSON.parse("null");
    },
    open: () => Promise.reject(new Error("nothing is opened here")),
  });
  return { verbs, asked };
}

// Captured from engine 20.10.
const ENDED = new EngineError(
  500,
  "Could not kill running container 8dc7eb39, cannot remove - Container 8dc7eb39 is not running",
);

test("a container that ends just as it is to be killed is removed all the same", async () => {
  const removed = refusing(ENDED);
  await removed.verbs.removeContainer("a");
  expect(removed.asked).toEqual(["DELETE /containers/a", "DELETE /containers/a"]);
  const deleted = refusing(ENDED);
  await deleted.verbs.deleteContainer("a", true);
  expect(deleted.asked.length).toBe(2);
});

test("any other refusal is told at once, and one that is gone is gone", async () => {
  const broken = refusing(new EngineError(500, "driver failed"));
  await expect(broken.verbs.removeContainer("a")).rejects.toThrow("driver failed");
  const gone = refusing(new EngineError(404, "No such container: a"));
  await gone.verbs.removeContainer("a");
  expect([broken.asked.length, gone.asked.length]).toEqual([1, 1]);
});
