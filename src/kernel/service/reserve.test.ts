import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReserve } from "./reserve.ts";

const MIB = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reserve-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, "reserve");
/** A start on a disk with so many free MiB. */
function start(freeMib: number) {
  const reserve = openReserve(folder, () => freeMib * MIB);
  const wasThere = existsSync(path());
  reserve.keep();
  return { ...reserve, wasThere, kept: existsSync(path()) ? statSync(path()).size / MIB : 0 };
}

test("room is kept once there is plenty, and given up for a start on a full disk, over and over", () => {
  expect(start(300)).toMatchObject({ isGivenUp: false, wasThere: false, kept: 0 });
  expect(start(400)).toMatchObject({ isGivenUp: false, wasThere: false, kept: 16 });
  expect(start(10)).toMatchObject({ isGivenUp: false, wasThere: true, kept: 16 });
  for (const free of [0, 1, 3]) expect(start(free)).toMatchObject({ isGivenUp: true, wasThere: false, kept: 4 });
  expect(start(10)).toMatchObject({ isGivenUp: false, wasThere: true, kept: 4 });
  expect(start(400)).toMatchObject({ isGivenUp: false, kept: 16 });
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});
