import { expect, test } from "bun:test";
import { splitCommand } from "./split-command.ts";

test.each([
  ["redis-cli  -n 1", ["redis-cli", "-n", "1"]],
  [`sh -c "echo 'a b'"`, ["sh", "-c", "echo 'a b'"]],
  ["echo ''", ["echo", ""]],
  [`a"b c"d`, ["ab cd"]],
  ["  ", []],
  ["echo 'open", null],
])("%p is taken apart", (text, parts) => {
  expect(splitCommand(text)).toEqual(parts);
});
