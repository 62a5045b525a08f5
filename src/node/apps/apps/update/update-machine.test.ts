import { expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_PLACE, nextPlace, type UpdatePlace, type UpdateShape } from "./update-machine.ts";

/** A server as far as an update touches it. Volumes by generation; what runs, and on which of them. */
interface World {
  volumes: Map<number, string>;
  app: { version: number; generation: number };
  running: { version: number; generation: number } | null;
  place: UpdatePlace;
}

type Fate = "well" | "badly" | "killed before" | "killed within" | "killed after";

/** Does a step as the node does, or as much of it as its fate lets it. A version writes into the volumes it runs on. */
function act(world: World, { copies }: UpdateShape, isHalf: boolean): void {
  const target = copies ? 1 : 2;
  switch (world.place.step) {
    case "stop":
      world.running = null;
      return;
    case "dump":
      expect(world.running).toEqual({ version: 0, generation: 0 });
      return;
    case "copy":
      expect(world.running).toBeNull();
      world.volumes.set(target, isHalf ? "half" : (world.volumes.get(0) ?? ""));
      return;
    case "switch":
      world.running = null;
      if (!isHalf) world.app = { version: world.place.hop + 1, generation: target };
      return;
    case "run":
    case "back_run":
      world.running = { ...world.app };
      if (world.app.version > 0) world.volumes.set(world.app.generation, `by ${world.app.version}`);
      return;
    case "back_switch":
      world.running = null;
      if (!isHalf) world.app = { version: 0, generation: 0 };
      return;
    case "back_end":
      if (copies) world.volumes.delete(target);
      return;
    default:
      return;
  }
}

const fates = fc.constantFrom<Fate>("well", "well", "well", "badly", "killed before", "killed within", "killed after");

test("whatever fails and whenever the node is killed: it ends on the old or the new version, and the old data is untouched", () => {
  fc.assert(
    fc.property(
      fc.record({
        hops: fc.integer({ min: 1, max: 3 }),
        wasUp: fc.boolean(),
        copies: fc.boolean(),
        dumps: fc.boolean(),
      }),
      fc.array(fates, { maxLength: 60 }),
      (shape, plan) => {
        const world: World = {
          volumes: new Map([[0, "old data"], ...(shape.copies ? [] : ([[2, "kept data"]] as const))]),
          app: { version: 0, generation: 0 },
          running: shape.wasUp ? { version: 0, generation: 0 } : null,
          place: FIRST_PLACE,
        };
        let rounds = 0;
        const path: string[] = [];
        while (world.place.step !== "over") {
          const isBack = world.place.step.startsWith("back_");
          const fate = plan[rounds++] ?? "well";
          path.push(world.place.step);
          expect(world.volumes.get(0)).toBe("old data");
          if (fate === "killed before") continue;
          act(world, shape, fate === "killed within" || (fate === "badly" && !isBack));
          if (fate.startsWith("killed")) continue;
          // That the old version does not come up again is told; here it is about all that can be helped.
          world.place = nextPlace(world.place, shape, isBack ? "well" : fate === "badly" ? "badly" : "well");
          expect(rounds).toBeLessThan(200);
        }
        expect(world.volumes.get(0)).toBe("old data");
        const isNew = path.includes("commit") && !path.includes("back_end");
        expect(world.app).toEqual(
          isNew ? { version: shape.hops, generation: shape.copies ? 1 : 2 } : { version: 0, generation: 0 },
        );
        if (shape.wasUp) expect(world.running).toEqual(world.app);
        expect([...world.volumes.values()]).not.toContain("half");
      },
    ),
    { numRuns: 3000 },
  );
});

test("a failed download moves nothing; a later failure names the old volumes again before anything is started", () => {
  const shape = { hops: 1, wasUp: true, copies: true, dumps: true };
  expect(nextPlace(FIRST_PLACE, shape, "well").step).toBe("dump");
  expect(nextPlace(FIRST_PLACE, { ...shape, wasUp: false }, "well").step).toBe("stop");
  expect(nextPlace({ step: "dump", hop: 0 }, shape, "badly").step).toBe("back_end");
  expect(nextPlace(FIRST_PLACE, shape, "badly").step).toBe("back_end");
  for (const step of ["stop", "copy", "switch", "run", "health", "commit"] as const)
    expect(nextPlace({ step, hop: 0 }, shape, "badly").step).toBe("back_switch");
  for (const step of ["back_switch", "back_run", "back_health", "back_end"] as const)
    expect(nextPlace({ step, hop: 0 }, shape, "badly").step).toBe("back_end");
});
