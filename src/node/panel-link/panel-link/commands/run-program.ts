import { runProgram as run } from "../../../../kernel/host/run-program.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";
import { Refused, textOf, type Verb } from "./verb.ts";

const PATIENCE_MS = seconds(60);
const MAX_OUTPUT = 65_536;

/** `run_command` with the name of a program that this node's own configuration allows; nothing else is ever run. */
export const runProgram = ({ config }: Pick<Needs, "config">): Verb => ({
  isRepeatable: false,
  async run(payload, { signal }) {
    const name = textOf(payload, "command");
    const argv = Object.hasOwn(config.panel_commands, name) ? config.panel_commands[name] : undefined;
    if (!argv) throw new Refused(`This node does not allow the command ${name}. Its owner lists what it allows.`);
    const end = await run(argv, { timeoutMs: PATIENCE_MS, maxBytes: MAX_OUTPUT, signal });
    const said = (["stdout", "stderr"] as const).map((stream) => {
      const text = end[stream].trimEnd();
      return end.cut.includes(stream) ? `${text}\n… cut after ${MAX_OUTPUT} bytes` : text;
    });
    const output = said.filter((text) => text !== "").join("\n");
    if (end.code === 0) return output;
    const how = end.signal === null ? `ended with code ${end.code}` : `was ended by ${end.signal}`;
    throw new Error(`${name} ${how}${output === "" ? "" : `\n${output}`}`);
  },
});
