import { expect, test } from "bun:test";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import { decideAndKeep, Overtaken } from "./attempts.ts";

const tx = {} as SystemTx;
const db = { tx: <T>(fn: (own: SystemTx) => Promise<T>) => fn(tx) } as SystemDb;

/** What was asked in which place, where the first `overtaken` tries are so. */
async function attempt(overtaken: number): Promise<string[]> {
  const done: string[] = [];
  await decideAndKeep(
    db,
    async (from) => {
      done.push(from === db ? "read before" : "read within");
      return {
        async keep() {
          if (done.filter((one) => one.startsWith("read")).length <= overtaken) throw new Overtaken();
          done.push("kept");
        },
      };
    },
    async () => void done.push("locked"),
  );
  return done;
}

test("what is decided before a transaction is decided anew where somebody came first, and in the end within one", async () => {
  expect(await attempt(0)).toEqual(["read before", "kept"]);
  expect(await attempt(2)).toEqual(["read before", "read before", "read before", "kept"]);
  expect(await attempt(3)).toEqual(["read before", "read before", "read before", "locked", "read within", "kept"]);
});

test("an answer begins no transaction", async () => {
  const none = { tx: () => Promise.reject(new Error("a transaction")) } as unknown as SystemDb;
  const answer = await decideAndKeep<string>(
    none,
    async () => ({ answer: "refused" }),
    async () => {},
  );
  expect(answer).toBe("refused");
});
