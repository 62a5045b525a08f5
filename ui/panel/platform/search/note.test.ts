import { expect, test } from "bun:test";
import { noteOf } from "./note.ts";

test("servers are spoken of while they are waited for, and when they have not answered", () => {
  expect(noteOf({ asked: 0, late: 0 }, false)).toBeNull();
  expect(noteOf({ asked: 1, late: 1 }, false)).toBe("Asking 1 server…");
  expect(noteOf({ asked: 5, late: 3 }, false)).toBe("2 of 5 servers have answered…");
  expect(noteOf({ asked: 5, late: 0 }, true)).toBeNull();
  expect(noteOf({ asked: 5, late: 1 }, true)).toBe("1 server has not answered");
  expect(noteOf({ asked: 5, late: 3 }, true)).toBe("3 servers have not answered");
});
