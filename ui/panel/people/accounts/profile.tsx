import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { NewPassword } from "../../../parts/new-password.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { updateUser, user } from "../../client/session.ts";
import { EmailCard } from "../email-proofs/email-card.tsx";
import { tellKeysThatStay } from "../factors/keys-that-stay.ts";
import { LanguageCard } from "./language-card.tsx";

/** Your name as others see it, your passphrase and your language; the same in all your workspaces. */
export function Profile() {
  const who = user.value;
  if (!who) return null;
  return (
    <div class="page">
      <header class="head">
        <h1>Profile</h1>
      </header>
      <div class="grid12">
        <Card title="You" aside="in all your workspaces" w={6}>
          <div class="card-b">
            <NameForm before={who.display_name} />
          </div>
        </Card>
        <EmailCard />
        <PasswordCard email={who.email} />
        <LanguageCard />
      </div>
    </div>
  );
}

function NameForm({ before }: { before: string }) {
  const [name, setName] = useState(before);
  const attempt = useAttempt();
  const besides = attempt.besides("name");
  const save = (event: Event): void => {
    event.preventDefault();
    void attempt.send(async () => {
      updateUser(await api("PUT /api/auth/profile", { body: { name: name.trim() } }));
      toast("Saved.");
    });
  };
  return (
    <form class="stack" onSubmit={save}>
      <Input label="Name" icon="user" {...attempt.field("name", name, setName)} required />
      {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
      <div class="btns">
        <Button
          type="submit"
          kind="primary"
          busy={attempt.busy}
          disabled={name.trim() === "" || name.trim() === before || attempt.wait > 0}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

function PasswordCard({ email }: { email: string }) {
  // A new form after each change, so that no passphrase stays in the page.
  const [round, setRound] = useState(0);
  const change = async (new_password: string, current_password: string): Promise<void> => {
    await api("POST /api/auth/password", { body: { current_password, new_password } });
    toast("Your passphrase is changed. Your other devices are signed out.");
    setRound(round + 1);
    await tellKeysThatStay();
  };
  return (
    <Card title="Passphrase" w={6}>
      <div class="card-b passform">
        <NewPassword
          key={round}
          before="Current passphrase"
          action="Change passphrase"
          username={email}
          autofocus={false}
          onSubmit={change}
        />
      </div>
    </Card>
  );
}
