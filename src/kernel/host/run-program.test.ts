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
