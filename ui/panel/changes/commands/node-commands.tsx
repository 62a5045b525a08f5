import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { askCommand, type Target } from "./ask.ts";
import { CommandList } from "./command-list.tsx";

const shown = 5;

/** What was sent to one node last, and the way to send more; for those who may. */
export function NodeCommands({ node }: { node: Target }) {
  return may("fleet:write") ? <Commands node={node} /> : null;
}

function Commands({ node }: { node: Target }) {
  const commands = useResource("GET /api/fleet/commands", {
    query: { instance_id: node.id, limit: shown },
    everyMs: 5_000,
  });
  return (
    <Card
      w={8}
      title="Commands"
      actions={
        <Button size="sm" icon="terminal" onClick={() => askCommand("update", [node])}>
          Send a command
        </Button>
      }
    >
      <Loaded of={commands} what="Commands">
        {({ commands: list }) =>
          list.length === 0 ? (
            <p class="card-b t13 c3">Nothing was sent to this server in the last 30 days.</p>
          ) : (
            <CommandList commands={list} first="command" onChange={() => void commands.refresh()} />
          )
        }
      </Loaded>
    </Card>
  );
}
