import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { resource } from "../../client/resource.ts";
import { updateUser, user } from "../../client/session.ts";

/** What the workspace is called. */
export function NameCard() {
  const who = user.value;
  if (!who) return null;
  return (
    <Card title="What it is called" w={6}>
      <div class="card-b">
        {may("settings:write", { ownRole: true }) ? (
          <NameForm key={who.tenant_id} id={who.tenant_id} before={who.tenant_name} />
        ) : (
          <p class="c2">{who.tenant_name}</p>
        )}
      </div>
    </Card>
  );
}

function NameForm({ id, before }: { id: string; before: string }) {
  const [name, setName] = useState(before);
  const attempt = useAttempt();
  const besides = attempt.besides("name");
  const save = (event: Event): void => {
    event.preventDefault();
    void attempt.send(async () => {
      await api("PATCH /api/workspaces/{id}", { path: { id }, body: { name: name.trim() } });
      updateUser(await api("GET /api/auth/me"));
      void resource("GET /api/workspaces").refresh();
      toast("Saved.");
    });
  };
  return (
    <form class="stack" onSubmit={save}>
      <Input label="Name of the workspace" {...attempt.field("name", name, setName)} autocomplete="off" required />
      {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
      <div class="btns">
        <Button
          type="submit"
          kind="primary"
          busy={attempt.busy}
          disabled={name.trim() === "" || name.trim() === before || attempt.wait > 0}
        >
          Rename
        </Button>
      </div>
    </form>
  );
}
