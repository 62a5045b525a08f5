import { useState } from "preact/hooks";
import { Input } from "../../../kit/field.tsx";
import { api } from "../../client/api.ts";
import { LazyTerminals } from "../../parts/lazy-terminals.ts";
import { splitCommand } from "./split-command.ts";

/** Terminals on a program in a container, the best shell that it has unless another one is named. */
export function TerminalPanel({ container, name }: { container: string; name: string }) {
  const [user, setUser] = useState("");
  const [command, setCommand] = useState("");
  const parts = splitCommand(command);
  const askPath = async (): Promise<string> => {
    const body = {
      ...(parts === null || parts.length === 0 ? {} : { command: parts }),
      ...(user.trim() === "" ? {} : { user: user.trim() }),
    };
    const { ticket } = await api("POST /api/containers/{id}/exec", { path: { id: container }, body });
    return `/ws/containers/${encodeURIComponent(container)}/exec?ticket=${ticket}`;
  };
  return (
    <LazyTerminals
      title={name}
      askPath={askPath}
      form={
        <div class="termform">
          <Input
            label="Command"
            value={command}
            onValue={setCommand}
            autocapitalize="off"
            spellcheck={false}
            hint="Left empty: bash, else sh"
            error={parts === null ? "A quote is not closed." : null}
          />
          <Input
            label="User in the container"
            value={user}
            onValue={setUser}
            autocapitalize="off"
            spellcheck={false}
            hint="Left empty: the container's own"
          />
        </div>
      }
    />
  );
}
