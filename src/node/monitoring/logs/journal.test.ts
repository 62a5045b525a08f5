import { expect, test } from "bun:test";
import type { ProgramEnd, RunProgram } from "../../../kernel/host/run-program.ts";
import type { LogQuery } from "./contract.ts";
import { presentPage, toFilter } from "./filter.ts";
import { readJournal } from "./journal.ts";

const signal = new AbortController().signal;
const ended: ProgramEnd = { code: 0, signal: null, stdout: "", stderr: "", cut: [] };

/** What journalctl was asked, where it ends like that. */
async function ask(query: LogQuery, unit: string | null = null, end: Partial<ProgramEnd> = {}) {
  let asked: readonly string[] = [];
  const run: RunProgram = async (argv) => {
    asked = argv;
    return { ...ended, ...end };
  };
  const page = presentPage(await readJournal({ run, signal }, toFilter(query), unit === null ? [] : [unit]));
  return { asked, page };
}

const entry = (fields: object): string =>
  JSON.stringify({ __REALTIME_TIMESTAMP: "1767225600123456", PRIORITY: "6", ...fields });

test("a time before all journals is asked as the first that journalctl knows", async () => {
  const { asked } = await ask({ since: "0001-01-01", until: "1969-12-31" });
  expect(asked).toContain("--since=@0.000");
  expect(asked).toContain("--until=@0.000");
});

test("what stands before a line is asked for to the microsecond", async () => {
  const untilOf = async (upTo: string, until: string | undefined) => {
    let asked: readonly string[] = [];
    const run: RunProgram = async (argv) => {
      asked = argv;
      return ended;
    };
    const filter = { ...toFilter(until === undefined ? {} : { until }), upTo };
    await readJournal({ run, signal }, filter, []);
    return asked.filter((word) => word.startsWith("--until"));
  };
  expect(await untilOf("2026-01-01T00:00:00.123456789Z", undefined)).toEqual(["--until=@1767225600.123456"]);
  expect(await untilOf("2026-01-01T00:00:00Z", "2026-01-02")).toEqual(["--until=@1767225600.000000"]);
  expect(await untilOf("2026-01-03T00:00:00Z", "2026-01-02")).toEqual(["--until=@1767312000.000"]);
  expect(await untilOf("0001-01-01T00:00:00Z", undefined)).toEqual(["--until=@0.000"]);
});

test("what stands after a line is asked for in its order", async () => {
  let asked: readonly string[] = [];
  const stdout = [1, 2, 3].map((no) => entry({ __REALTIME_TIMESTAMP: `176722560012345${no}`, MESSAGE: `${no}` }));
  const run: RunProgram = async (argv) => {
    asked = argv;
    return { ...ended, stdout: stdout.join("\n"), cut: ["stdout"] };
  };
  const filter = { ...toFilter({ lines: 1 }), after: "2026-01-01T00:00:00.123451Z" };
  const read = async (count: number) => presentPage(await readJournal({ run, signal }, { ...filter, count }, []));
  expect((await read(1)).lines.map(({ text }) => text)).toEqual(["2"]);
  expect(asked).toContain("--since=@1767225600.123451");
  expect(asked).not.toContain("--reverse");
  expect(await read(5)).toMatchObject({ lines: [{}, {}], note: "Only the first 3 lines were looked at." });
});

test("entries become lines, oldest first", async () => {
  const stdout = [
    entry({ MESSAGE: "newest", PRIORITY: "3", _SYSTEMD_UNIT: "ssh.service", SYSLOG_IDENTIFIER: "sshd" }),
    entry({ MESSAGE: [104, 105], PRIORITY: "4", SYSLOG_IDENTIFIER: "kernel" }),
    entry({ MESSAGE: ["one", "two"], PRIORITY: "7" }),
    entry({ MESSAGE: null }),
    '{"cut in the mid',
    "",
  ].join("\n");
  const { page } = await ask({}, null, { stdout });
  const at = "2026-01-01T00:00:00.123456Z";
  expect(page).toEqual({
    from: "journal",
    lines: [
      { at, source: null, level: "info", text: "" },
      { at, source: null, level: "debug", text: "one two" },
      { at, source: "kernel", level: "warn", text: "hi" },
      { at, source: "ssh.service", level: "error", text: "newest" },
    ],
    note: null,
  });
});

test("filters become single arguments, and text is never a pattern or an option", async () => {
  const { asked } = await ask(
    { lines: 5, level: "warn", q: "--a (b|c)* \\E ü", since: "2026-01-01T00:00:00Z", until: "2026-01-02" },
    "-M.service",
  );
  expect(asked.slice(-7)).toEqual([
    "--lines=5",
    "--priority=4",
    "--grep=\\-\\-a\\ \\(b\\|c\\)\\*\\ \\\\E\\ ü",
    "--case-sensitive=no",
    "--since=@1767225600.000",
    "--until=@1767312000.000",
    "--unit=-M.service",
  ]);
  expect((await ask({ level: "debug" })).asked.some((item) => item.startsWith("--priority"))).toBe(false);
});

test.each([
  [{ code: 127, stderr: "not found" }, "logs_unavailable", "no journalctl"],
  [{ stderr: "No journal files were found." }, "logs_unavailable", "keeps no journal"],
  [
    { code: 1, stderr: "No journal files were opened due to insufficient permissions." },
    "logs_unavailable",
    "usermod -aG systemd-journal",
  ],
  [{ code: 1, stderr: "Compiled without pattern matching support" }, "logs_unavailable", "Compiled without"],
  [{ code: 137, signal: "SIGKILL" }, "logs_too_slow", "10 seconds"],
] as const)("%o is said as %s", async (end, code, words) => {
  const error = await ask({}, null, end).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
});

test("no hit is an empty page, and what may be missing is said", async () => {
  expect((await ask({ q: "x" }, null, { code: 1, stdout: "-- No entries --\n" })).page.lines).toEqual([]);
  const hint = "Hint: You are currently not seeing messages from other users and the system.";
  expect((await ask({}, null, { stderr: hint })).page.note).toContain("systemd-journal");
  expect((await ask({}, null, { cut: ["stdout"] })).page.note).toContain("oldest are left out");
});

test("a hundred thousand texts stay one argument that means nothing but itself", () => {
  let seed = 1;
  const next = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed;
  };
  const asked: string[] = [];
  const run: RunProgram = async (argv) => {
    asked.push(argv.find((item) => item.startsWith("--grep=")) ?? "");
    return ended;
  };
  for (let round = 0; round < 100_000; round++) {
    const text = Array.from({ length: 1 + (next() % 12) }, () => String.fromCharCode(32 + (next() % 95))).join("");
    void readJournal({ run, signal }, toFilter({ q: text }), []);
    const pattern = (asked.pop() ?? "").slice("--grep=".length);
    // What PCRE and this runtime agree on: a backslash before a sign that is no letter or digit.
    if (pattern.replace(/\\([^A-Za-z0-9])/g, "$1") !== text || /(^|[^\\])(\\\\)*[.*+?()[\]{}|^$]/.test(pattern))
      throw new Error(`${JSON.stringify(text)} became ${pattern}`);
  }
});
