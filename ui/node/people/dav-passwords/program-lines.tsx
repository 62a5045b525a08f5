import { useState } from "preact/hooks";
import { Select } from "../../../kit/choice.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { type Connection, hints, linesFor, type ProgramName, programs } from "./connections.ts";

/** Lines to paste into the program that is to open the Drive. */
export function ProgramLines(connection: Connection) {
  const [program, choose] = useState<ProgramName>("finder");
  const lines = linesFor(program, connection);
  return (
    <div class="field codelines">
      <span class="label">Open it in</span>
      <Select label="Open it in" value={program} options={[...programs]} onValue={choose} />
      <div class="code">
        <pre>{lines}</pre>
        <Copy text={lines} label="Copy the lines" />
      </div>
      <p class="hint">{hints[program]}</p>
    </div>
  );
}
