import { useState } from "preact/hooks";
import type { Command } from "../../../../src/panel/changes/commands/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { Said, saidText } from "./said.tsx";
import { describe, isCut, statusLook } from "./words.ts";

interface CommandListProps {
  commands: readonly Command[];
  /** What stands first: the node, or what was sent to the one node that all of them are for. */
  first: "node" | "command";
  onChange: () => void;
}

/** Commands with where each is; what a node said opens below it. */
export function CommandList({ commands, first, onChange }: CommandListProps) {
  return (
    <ul class="rows commandlist">
      {commands.map((command) => (
        <Row key={command.id} command={command} first={first} onChange={onChange} />
      ))}
    </ul>
  );
}

function Row({ command, first, onChange }: { command: Command } & Pick<CommandListProps, "first" | "onChange">) {
  const [isOpen, open] = useState(false);
  const look = statusLook(command.status);
  const name = command.hostname ?? command.instance_id;
  const by = command.created_by_name ?? "a member who is gone";
  return (
    <li>
      <div class="item">
        <Glyph state={look.state} />
        <span class="body">
          <span class="title cut">
            {first === "command" || command.hostname === null ? (
              (first === "command" && describe(command)) || name
            ) : (
              <a class="main-link" href={`/nodes/${encodeURIComponent(command.instance_id)}`}>
                {name}
              </a>
            )}
          </span>
          <span class="sub cut">
            {first === "node" && `${describe(command)}. `}
            {look.word}
            {command.error !== null && `: ${command.error}`}
          </span>
        </span>
        <time
          class="t13 c3 nowrap no-sm"
          dateTime={command.created_at}
          data-tip={`${moment(command.created_at)}, by ${by}`}
        >
          {ago(command.created_at)}
        </time>
        {command.status === "queued" && (
          <Button size="sm" onClick={() => void takeBack(command).then(onChange)}>
            Take back<span class="sr"> {`${describe(command)}, ${name}`}</span>
          </Button>
        )}
        {saidText(command) !== "" && (
          <Button size="sm" kind="ghost" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            {isOpen ? "Hide" : "What it said"}
            <span class="sr">: {name}</span>
          </Button>
        )}
      </div>
      {isOpen && <Said id={command.id} told={command} isCut={isCut(command)} look="said" />}
    </li>
  );
}

async function takeBack(command: Command): Promise<void> {
  try {
    await api("POST /api/fleet/commands/{id}/cancel", { path: { id: command.id } });
    toast(`${describe(command)}: taken back.`);
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
  }
}
