import { expect, test } from "bun:test";
import { AppError } from "../../../../kernel/http/errors.ts";
import { readConnectLine } from "./connect-line.ts";

const TOKEN = "T".repeat(43);
const PIN = `sha256:${"0a".repeat(32)}`;
const parts = { panel: "https://panel.example:8443", token: TOKEN, pin: PIN };

test.each([
  `orrery-node connect --panel ${parts.panel} --token ${TOKEN} --pin ${PIN}`,
  `  sudo /opt/orrery/orrery-node connect --pin=${PIN} --panel=${parts.panel} --token=${TOKEN}\n`,
  `orrery-node connect \\\n  --panel '${parts.panel}' \\\n  --token "${TOKEN}" --pin ${PIN}`,
  `--token ${TOKEN} --panel ${parts.panel} --pin ${PIN}`,
])("%j is understood", (line) => {
  expect(readConnectLine(line)).toEqual(parts);
});

test.each([
  ["hello", "names no panel"],
  [`--panel panel.example --token ${TOKEN} --pin ${PIN}`, "not an address"],
  [`--panel ${parts.panel} --pin ${PIN}`, "no --token"],
  [`--panel ${parts.panel} --token abc --pin ${PIN}`, "--token is cut off"],
  [`--panel ${parts.panel} --token ${TOKEN}`, "no --pin"],
  [`--panel ${parts.panel} --token ${TOKEN} --pin ${PIN.slice(0, -1)}`, "--pin is cut off"],
  [`--panel ${parts.panel} --token --pin ${PIN}`, "--token is cut off"],
])("%j is refused: %s", (line, reason) => {
  const read = () => readConnectLine(line);
  expect(read).toThrow(AppError);
  expect(read).toThrow(reason);
});
