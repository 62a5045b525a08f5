import { expect, test } from "bun:test";
import { runProgram, tryProgram } from "./run-program.ts";

test("argv goes to the program word by word, and both streams come back", async () => {
  const end = await runProgram(["sh", "-c", 'echo "$1"; echo wrong >&2; exit 3', "sh", "$HOME; ls"]);
  expect(end).toEqual({ code: 3, signal: null, stdout: "$HOME; ls\n", stderr: "wrong\n", cut: [] });
});

test("a program that is not there is an error, or an end with 127", async () => {
  await expect(runProgram(["orrery-no-such-program"])).rejects.toThrow("orrery-no-such-program");
  expect(await tryProgram(["orrery-no-such-program"])).toMatchObject({ code: 127, signal: null, stdout: "" });
});

test("what takes too long, or is not wanted any more, is killed", async () => {
  expect(await runProgram(["sleep", "30"], { timeoutMs: 20 })).toMatchObject({ signal: "SIGKILL", stdout: "" });
  const stop = new AbortController();
  const running = runProgram(["sleep", "30"], { signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ signal: "SIGKILL" });
});

test("only the beginning of long output is kept", async () => {
  const end = await runProgram(["sh", "-c", "yes | head -c 200000"], { maxBytes: 1000 });
  expect(end).toMatchObject({ code: 0, cut: ["stdout"] });
  expect(end.stdout).toHaveLength(1000);
});

test("what a program leaves running is not waited for", async () => {
  const begun = performance.now();
  expect(await runProgram(["sh", "-c", "echo begun; sleep 20 &"])).toMatchObject({ code: 0, stdout: "begun\n" });
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test("it runs where it is told to", async () => {
  expect((await runProgram(["pwd"], { cwd: "/" })).stdout).toBe("/\n");
});

test("lines of both streams are told as they come, however long one is", async () => {
  const lines: string[] = [];
  const script =
    "echo one; echo two >&2; printf 'a\\rb\\r\\n\\n'; head -c 100000 /dev/zero | tr '\\0' x; echo; printf last";
  await runProgram(["sh", "-c", script], { onLine: (line) => void lines.push(line), maxBytes: 10 });
  // Which stream is read first is nobody's business.
  expect(lines).toContain("two");
  const own = lines.filter((line) => line !== "two").map((line) => line.slice(0, 10));
  expect(own).toEqual(["one", "b", "xxxxxxxxxx", "last"]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(4096);
});

test("a program can be given an environment of its own, with nothing of ours but where programs are", async () => {
  const { stdout } = await runProgram(["env"], { env: { LANG: "C" } });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0])
      .sort(),
  ).toEqual(["LANG", "PATH"]);
});

test("what is asked to end may do so by itself; what does not is killed", async () => {
  const polite = 'trap "echo ended; exit 7" TERM; echo ready; while :; do sleep 0.01; done';
  const endWhenReady = (script: string, graceMs: number) => {
    const stop = new AbortController();
    return runProgram(["sh", "-c", script], {
      signal: stop.signal,
      graceMs,
      onLine: (line) => line === "ready" && stop.abort(),
    });
  };
  expect(await endWhenReady(polite, 60_000)).toMatchObject({ code: 7, stdout: "ready\nended\n" });
  expect(await endWhenReady('trap "" TERM; echo ready; while :; do sleep 0.01; done', 20)).toMatchObject({
    signal: "SIGKILL",
  });
});
