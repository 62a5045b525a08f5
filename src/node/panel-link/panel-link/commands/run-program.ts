import type { Clock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import { Refused, textOf, type Verb } from "./verb.ts";

const PATIENCE_MS = seconds(60);
/** What a program left running may still write; its output stays open for as long as it lives. */
const LEFTOVER_MS = seconds(1);
const MAX_OUTPUT = 65_536;

/** `run_command` with the name of a program that this node's own configuration allows; nothing else is ever run. */
export const runProgram: Verb = {
  isRepeatable: false,
  async run({ config, clock }, payload, { signal }) {
    const name = textOf(payload, "command");
    const argv = Object.hasOwn(config.panel_commands, name) ? config.panel_commands[name] : undefined;
    if (!argv) throw new Refused(`This node does not allow the command ${name}. Its owner lists what it allows.`);
    const child = Bun.spawn([...argv], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
      signal,
    });
    const over = overSoon(clock, child.exited);
    const [out, problems] = await Promise.all([readSome(child.stdout, over), readSome(child.stderr, over)]);
    const code = await child.exited;
    const output = [out, problems].filter((text) => text !== "").join("\n");
    if (code === 0) return output;
    const how = child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${code}`;
    throw new Error(`${name} ${how}${output === "" ? "" : `\n${output}`}`);
  },
};

async function overSoon(clock: Pick<Clock, "sleep">, exited: Promise<number>): Promise<null> {
  await exited;
  await clock.sleep(LEFTOVER_MS);
  return null;
}

/**
 * The beginning of a stream, until it ends or `over`; the rest is read and thrown away, or the program would wait for its
 * reader.
 */
async function readSome(stream: ReadableStream<Uint8Array>, over: Promise<null>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await Promise.race([reader.read(), over]); next?.value; ) {
    if (size < MAX_OUTPUT) chunks.push(next.value.subarray(0, MAX_OUTPUT - size));
    size += next.value.length;
    next = await Promise.race([reader.read(), over]);
  }
  await reader.cancel().catch(() => {});
  const text = new TextDecoder().decode(Buffer.concat(chunks)).trimEnd();
  return size > MAX_OUTPUT ? `${text}\n… cut after ${MAX_OUTPUT} bytes` : text;
}
