import { PassThrough } from "node:stream";
import { readOutput } from "../../src/node/apps/runtime/verbs/output.ts";
import { readContainerLog } from "../../src/node/monitoring/logs/container-log.ts";
import { toFilter } from "../../src/node/monitoring/logs/filter.ts";
import type { Measure } from "./bench.ts";
import { median } from "./table.ts";

const LINES = 1_000_000;
const ROUNDS = 5;
const PIECE = 65_536;
const FIRST = Date.UTC(2026, 0, 1);

/** A log as the engine sends it: a header of eight bytes and a time before each line. */
function makeLog(): { bytes: Buffer; starts: Uint32Array } {
  const starts = new Uint32Array(LINES);
  const bytes = Buffer.alloc(LINES * 160);
  let at = 0;
  for (let index = 0; index < LINES; index++) {
    starts[index] = at;
    const time = new Date(FIRST + index).toISOString().replace("Z", "000000Z");
    const level = index % 20 === 0 ? "WARN" : "INFO";
    const text = `${time} ${level} request ${index} GET /api/photos/${index % 977} answered 200 in ${index % 613} ms\n`;
    bytes[at] = 1;
    const size = bytes.write(text, at + 8, "latin1");
    bytes.writeUInt32BE(size, at + 4);
    at += size + 8;
  }
  return { bytes: bytes.subarray(0, at), starts };
}

/** An engine that has only this log; what the engine itself needs to read its file is not in the figures. */
function engineOf({ bytes, starts }: ReturnType<typeof makeLog>) {
  const readLogs = async (_id: string, { tail }: { tail: number | "all" }) => {
    const from = tail === "all" ? 0 : (starts[Math.max(0, LINES - tail)] ?? 0);
    const stream = new PassThrough({ highWaterMark: PIECE });
    void (async () => {
      for (let at = from; at < bytes.length; at += PIECE)
        if (!stream.write(bytes.subarray(at, at + PIECE)))
          await new Promise((resolve) => stream.once("drain", resolve));
      stream.end();
    })();
    return readOutput(stream);
  };
  return { runtime: { requireEngine: () => ({ readLogs }) as never } };
}

/** grep to its first hit in the same bytes: it writes to nowhere, and so looks no further. */
async function grep(path: string, pattern: string): Promise<number> {
  const begun = performance.now();
  const child = Bun.spawn(["grep", "-a", "-i", "-E", pattern, path], { stdout: "ignore", stderr: "ignore" });
  await child.exited;
  return performance.now() - begun;
}

/** Finding in a container's log of a million lines: how long the first hit takes, and a search that finds nothing at all. */
export const logSearch: Measure = {
  name: "log-search",
  async run({ folder }) {
    const log = makeLog();
    const path = `${folder.path}/search.log`;
    await Bun.write(path, log.bytes);
    const deps = engineOf(log);
    const search = async (query: object): Promise<number> => {
      const begun = performance.now();
      await readContainerLog(deps, "web", toFilter({ lines: 1, ...query }), new AbortController().signal);
      return performance.now() - begun;
    };
    const typical = async (query: object): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) times.push(await search(query));
      return median(times);
    };
    const text = await typical({ q: "answered 200 in 612 ms" });
    const regex = await typical({ q: "get /api/\\w+/97[0-9] .* 6\\d\\d ms", regex: true });
    const whole = await search({ q: "nothing like it" });
    const before = process.memoryUsage.rss();
    await Promise.all(Array.from({ length: 4 }, () => search({ lines: 1000, level: "warn", q: "request" })));
    const grown = (process.memoryUsage.rss() - before) / 1_048_576;
    const measure = "log search, 1,000,000 lines";
    const limit = { kind: "most", value: 500 } as const;
    return [
      {
        measure: `${measure}: first hit`,
        value: text,
        unit: "ms",
        limit,
        baseline: await grep(path, "in 612 ms"),
        note: "text, from the newest line on; grep from the oldest on beside it",
      },
      {
        measure: `${measure}: first hit of a pattern`,
        value: regex,
        unit: "ms",
        limit,
        baseline: await grep(path, "get /api/[a-z]+/97[0-9] .* 6[0-9][0-9] ms"),
        note: "regular expression; grep -E beside it",
      },
      {
        measure: `${measure}: no hit`,
        value: whole,
        unit: "ms",
        limit: null,
        baseline: null,
        note: "looks at every line",
      },
      {
        measure: "four big reads at a time",
        value: grown,
        unit: "MiB",
        limit: null,
        baseline: null,
        note: "growth of memory",
      },
    ];
  },
};
