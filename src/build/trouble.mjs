// What is worth reading after a long run: the tests that failed, also where they passed when tried again, with what was said.
const most = 40;

const toText = (lines) => lines.filter((line) => line.trim() !== "").join("\n");

/** Collects from the lines of Bun test runs. */
export function createTrouble() {
  const found = [];
  return {
    /** Follows one run: `line` takes what it writes, `end` its exit code. */
    follow() {
      let said = [];
      let isOver = false;
      let failed = 0;
      const keep = (line) => found.push([...said, line]);
      return {
        line(text) {
          // After its last test Bun names once more what failed.
          isOver ||= /^\d+ tests? failed:/.test(text);
          if (isOver) return;
          if (!/^\((pass|fail|skip|todo)\) /.test(text)) {
            said = [...said, text].slice(-most);
            return;
          }
          if (text.startsWith("(fail)")) failed += 1;
          if (text.startsWith("(fail)")) keep(text);
          said = [];
        },
        end(code) {
          if (code !== 0 && failed === 0) keep(`ended with ${code} without a test that failed`);
        },
      };
    },
    /** All of it under a heading, a block for each test; empty after a run without any. */
    lines: () => (found.length === 0 ? [] : ["\n=== failed, once or twice", ...found.map(toText)]),
  };
}
