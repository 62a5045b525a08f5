import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import type { Routes } from "../../client/routes.ts";
import { MailTrouble } from "../../parts/mail-outcome.tsx";
import { useProof } from "../factors/use-proof.tsx";

type EmailStatus = Routes["GET /api/auth/email"]["out"];

/** The address that somebody signs in with: whether it has proven itself, and how it becomes another one. */
export function EmailCard() {
  const found = useResource("GET /api/auth/email");
  const [asking, ask] = useState(false);
  const proof = useProof();
  const change = (email: string): Promise<void> =>
    proof.run(async () => {
      await api("PUT /api/auth/email", { body: { email } });
      await found.refresh();
      toast("Look into the mail of the new address: a link there makes the change.");
    });
  return (
    <Card title="Email" aside="you sign in with it" w={6}>
      <Loaded of={found} what="Your address" skeleton={<Skeleton rows={2} />}>
        {(status) => (
          <div class="card-b stack">
            <span class="host cut">{status.email}</span>
            <Proven of={status} onSent={() => void found.refresh()} />
            <Pending of={status} onAgain={change} onDropped={() => void found.refresh()} />
            <div class="btns">
              <Button size="sm" disabled={!status.by_mail} onClick={() => ask(true)}>
                Change address
              </Button>
            </div>
            {!status.by_mail && (
              <p class="t13 c3">
                This panel sends no mail, so an address cannot prove itself. Whoever runs it can set it up.
              </p>
            )}
          </div>
        )}
      </Loaded>
      {asking && (
        <NewAddress
          onEmail={(email) => {
            ask(false);
            void change(email);
          }}
          onClose={() => ask(false)}
        />
      )}
      {proof.dialog}
    </Card>
  );
}

function Proven({ of: { verified, by_mail, mail }, onSent }: { of: EmailStatus; onSent: () => void }) {
  const attempt = useAttempt();
  const send = (): void =>
    void attempt.send(async () => {
      await api("POST /api/auth/email/send");
      toast("A link is on its way. It is good once, for a day.");
      onSent();
    });
  const isUnreached = mail !== null && (mail.unreachable || mail.state === "refused" || mail.state === "given_up");
  if (verified && !isUnreached) return <Status state="ok">Confirmed</Status>;
  return (
    <div class="stack">
      <div class="row wrap">
        {verified ? <Status state="ok">Confirmed</Status> : <Status state="warn">Not confirmed</Status>}
        {by_mail && (
          <Button class="push" size="sm" busy={attempt.busy} disabled={attempt.wait > 0} onClick={send}>
            {isUnreached ? "Try again" : "Send me a link"}
          </Button>
        )}
      </div>
      <MailTrouble of={mail} />
      {mail?.unreachable && (
        <p class="t13 c3">
          The mail server says that nobody has this address, so notices and digests do not go there. Try again once it
          takes mail, or change it.
        </p>
      )}
      {attempt.problem !== null && (
        <p class="t13 c3" role="alert">
          {attempt.problem.message}
        </p>
      )}
    </div>
  );
}

function Pending({
  of: { pending },
  onAgain,
  onDropped,
}: {
  of: EmailStatus;
  onAgain: (email: string) => Promise<void>;
  onDropped: () => void;
}) {
  if (pending === null) return null;
  const drop = async (): Promise<void> => {
    await api("DELETE /api/auth/email");
    onDropped();
  };
  return (
    <div class="stack">
      <Status state="info">Waiting for {pending}</Status>
      <p class="t13 c3">It takes the place of your address once you open the link that went there.</p>
      <div class="btns">
        <Button size="sm" onClick={() => void onAgain(pending)}>
          Send it again
        </Button>
        <Button size="sm" onClick={() => void drop()}>
          Keep the old one
        </Button>
      </div>
    </div>
  );
}

function NewAddress({ onEmail, onClose }: { onEmail: (email: string) => void; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const attempt = useAttempt();
  return (
    <FormDialog
      title="Change your address"
      sub="It changes once you open a link that goes there. Your address of today is told."
      action="Send a link there"
      ready={/^[^\s@]+@[^\s@]+$/.test(email)}
      attempt={attempt}
      onSubmit={() => onEmail(email)}
      onClose={onClose}
    >
      <Input label="New address" icon="mail" type="email" value={email} onValue={setEmail} autocomplete="off" />
    </FormDialog>
  );
}
