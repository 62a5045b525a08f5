import { expect, test } from "bun:test";
import { bindErrand, onNobodysErrand, type Standing, whileAnswering, whileStanding } from "./standing.ts";

/** Somebody whose access ends when it is said. */
function somebody() {
  let count = 0;
  let isIn = true;
  let asked = 0;
  const standing: Standing = {
    epoch: () => count,
    ask() {
      asked += 1;
      // What is asked may itself change something, which asks nobody.
      whileStanding(() => {});
      if (!isIn) throw new Error("it has ended");
    },
  };
  return {
    standing,
    asked: () => asked,
    othersEnd() {
      count += 1;
    },
    end() {
      count += 1;
      isIn = false;
    },
  };
}

const change = () => whileStanding(() => "changed");

test("what is changed after a wait is refused once somebody's access has ended, and nobody is asked before", async () => {
  const one = somebody();
  const wait = Promise.withResolvers<void>();
  const answer = whileAnswering(one.standing, 0, async () => {
    change();
    await wait.promise;
    return change();
  });
  expect(one.asked()).toBe(0);
  one.end();
  wait.resolve();
  expect(await answer.catch(String)).toContain("it has ended");
  expect(one.asked()).toBe(1);
});

test("what others lost is asked about once and keeps nobody from anything", async () => {
  const one = somebody();
  const answer = await whileAnswering(one.standing, 0, async () => {
    one.othersEnd();
    await null;
    change();
    return change();
  });
  expect(answer).toBe("changed");
  expect(one.asked()).toBe(1);
});

test("what somebody ends by their own change keeps them from nothing that belongs to it", async () => {
  const one = somebody();
  const answer = await whileAnswering(one.standing, 0, async () => {
    whileStanding(one.end);
    await null;
    return change();
  });
  expect(answer).toBe("changed");
});

test("what began before the guard had decided is asked about too", async () => {
  const one = somebody();
  one.end();
  expect(await whileAnswering(one.standing, 0, change).catch(String)).toContain("it has ended");
});

test("what goes on when somebody is answered, and what is nobody's errand, goes on", async () => {
  const one = somebody();
  const wait = Promise.withResolvers<void>();
  const later = async () => {
    await wait.promise;
    return change();
  };
  let left: Promise<string> | null = null;
  const shared = await whileAnswering(one.standing, 0, async () => {
    left = later();
    one.end();
    return onNobodysErrand(change);
  });
  wait.resolve();
  expect([shared, await left]).toEqual(["changed", "changed"]);
});

test("work that is done in a crowd counts for whoever gave it", async () => {
  const [one, other] = [somebody(), somebody()];
  const wait = Promise.withResolvers<void>();
  const works: (() => string)[] = [];
  const give = async () => {
    works.push(bindErrand(change));
    await wait.promise;
  };
  const answers = [whileAnswering(one.standing, 0, give), whileAnswering(other.standing, 0, give)];
  one.end();
  const [first, second] = works;
  await whileAnswering(other.standing, 0, () => {
    expect(() => first?.()).toThrow("it has ended");
    expect(second?.()).toBe("changed");
  });
  wait.resolve();
  await Promise.all(answers);
});
