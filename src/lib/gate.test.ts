import { expect, test } from "bun:test";
import { createGate } from "./gate.ts";

/** Tasks that end when told to. */
function tasks() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const task = (id: number) => async () => {
    started.push(id);
    await new Promise<void>((resolve) => ends.push(resolve));
    return id;
  };
  return { started, end: () => ends.shift()?.(), task };
}

test("at most two run, the rest follow in order", async () => {
  const gate = createGate(2);
  const { started, end, task } = tasks();
  const results = [1, 2, 3, 4].map((id) => gate(task(id)));
  await Bun.sleep(0);
  expect(started).toEqual([1, 2]);
  end();
  expect(await results[0]).toBe(1);
  await Bun.sleep(0);
  expect(started).toEqual([1, 2, 3]);
  end();
  await results[1];
  await Bun.sleep(0);
  end();
  end();
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
});

test("a task that fails makes room, and nobody slips in before those who wait", async () => {
  const gate = createGate(1);
  const { started, end, task } = tasks();
  const failing = gate(async () => {
    await Bun.sleep(0);
    throw new Error("no");
  });
  const waiting = gate(task(1));
  await expect(failing).rejects.toThrow("no");
  const late = gate(task(2));
  await Bun.sleep(0);
  expect(started).toEqual([1]);
  end();
  expect(await waiting).toBe(1);
  await Bun.sleep(0);
  end();
  expect(await late).toBe(2);
  const after = gate(task(3));
  await Bun.sleep(0);
  end();
  expect(await after).toBe(3);
});
