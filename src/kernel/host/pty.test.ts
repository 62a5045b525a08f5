import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { until } from "../../../tests/kit/until.ts";
import { openPty, type Pty } from "./pty.ts";

const open: Pty[] = [];
afterEach(() => {
  for (const pty of open.splice(0)) pty.close();
});

const bytes = (text: string) => new TextEncoder().encode(text);

function start(script: string): Pty {
  const env = { PATH: "/usr/bin:/bin", TERM: "xterm" };
  const pty = openPty({ argv: ["/bin/sh", "-c", script], env, cwd: "/", size: { columns: 100, rows: 30 } });
  open.push(pty);
  return pty;
}

/** Reads on in the background; `text` is what came so far. */
function read(pty: Pty): { text: string; isOver: boolean } {
  const seen = { text: "", isOver: false };
  void (async () => {
    for await (const piece of pty.output) seen.text += Buffer.from(piece).toString();
    seen.isOver = true;
  })();
  return seen;
}

test("it has a size, hears what is typed, and ends with the code of its program", async () => {
  const pty = start('stty size; read word; stty size; echo "got $word"; exit 7');
  const seen = read(pty);
  await until(() => seen.text.includes("30 100"), { what: "the size", everyMs: 5 });
  pty.resize({ columns: 80, rows: 24 });
  await pty.write(bytes("hello\r"));
  expect(await pty.exited).toBe(7);
  await until(() => seen.isOver, { what: "the end of what it says", everyMs: 5 });
  expect(seen.text).toContain("24 80");
  expect(seen.text).toContain("got hello");
});

test("a program that floods waits for its reader, and Ctrl-C is heard meanwhile", async () => {
  const pty = start("trap 'echo interrupted; exit 3' INT; yes");
  const output = pty.output[Symbol.asyncIterator]();
  await output.next();
  // Nobody reads on: it is held, and what it was told still reaches it.
  await pty.write(bytes("\u0003"));
  let size = 0;
  let text = "";
  for (let next = await output.next(); next.done !== true; next = await output.next()) {
    size += next.value.byteLength;
    text = Buffer.from(next.value).toString().slice(-200);
  }
  expect(text).toContain("interrupted");
  expect(await pty.exited).toBe(3);
  expect(size).toBeLessThan(1_048_576);
});

test("what was started from it ends when it is closed", async () => {
  const pty = start("sleep 3600 & echo $! here; wait");
  const seen = read(pty);
  await until(() => seen.text.includes("here"), { what: "its words", everyMs: 5 });
  const pid = Number.parseInt(seen.text, 10);
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  pty.close();
  await until(() => !existsSync(`/proc/${pid}`), { what: "the end", everyMs: 5 });
  expect(await pty.exited).toBeNull();
});

test("a program that is not there ends at once, and says so", async () => {
  const pty = openPty({ argv: ["/no/such/shell"], env: {}, cwd: "/", size: { columns: 80, rows: 24 } });
  open.push(pty);
  const seen = read(pty);
  expect(await pty.exited).toBe(127);
  await until(() => seen.isOver, { what: "the end of what it says", everyMs: 5 });
  expect(seen.text).toContain("/no/such/shell");
});
