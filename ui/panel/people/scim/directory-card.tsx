import { count } from "../../../client/format.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import type { Setup } from "./types.ts";

/** Whether a directory brings people in, and the way to set that up. */
export function DirectoryCard() {
  return may("settings:write", { ownRole: true }) ? <Shown /> : null;
}

function Shown() {
  const setup = useResource("GET /api/scim");
  return (
    <Card title="Directory" class="start" w={6}>
      <div class="card-b stack">
        <Loaded of={setup} what="The directory">
          {(data) => <About setup={data} />}
        </Loaded>
        <div class="btns">
          <LinkButton href="/settings/directory" icon="users">
            Set up a directory
          </LinkButton>
        </div>
      </div>
    </Card>
  );
}

function About({ setup: { tokens, users, required_plan } }: { setup: Setup }) {
  if (tokens.length === 0)
    return (
      <p class="c2">
        Let Entra, Okta or another directory bring your people in, and take them out the minute they leave.
        {required_plan !== undefined && ` It is part of the ${required_plan} plan.`}
      </p>
    );
  return (
    <Status state={users > 0 ? "ok" : "unknown"}>
      {users === 0 ? "Set up, and it has brought nobody yet" : `${count(users, "person comes", "people come")} from it`}
    </Status>
  );
}
