import { useState } from "preact/hooks";
import { count } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Select } from "../../../kit/choice.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Field } from "../../../kit/field.tsx";
import { Status } from "../../../kit/status.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import type { Routes } from "../../client/routes.ts";
import { user } from "../../client/session.ts";
import type { RoleName } from "../../client/types.ts";
import { type Language, languageChoices } from "../../parts/languages.ts";
import { roleNames, roleRights } from "../../parts/roles.ts";

type Done = Routes["POST /api/invitations/bulk"]["out"];

const reasons: Record<Done["skipped"][number]["reason"], string> = {
  "invalid email": "This is no address",
  "already a member": "Is a member already",
  "already invited": "Has an open invitation already",
};

/** Asks whom to invite, and says what became of each address. */
export function InviteDialog({
  byMail,
  onDone,
  onClose,
}: {
  byMail: boolean;
  onDone: () => void;
  onClose: () => void;
}) {
  const [done, setDone] = useState<Done | null>(null);
  if (done !== null) return <Outcome done={done} byMail={byMail} onClose={onClose} />;
  const keep = (result: Done): void => {
    setDone(result);
    onDone();
  };
  return <Ask byMail={byMail} onDone={keep} onClose={onClose} />;
}

function Ask({ byMail, onDone, onClose }: { byMail: boolean; onDone: (done: Done) => void; onClose: () => void }) {
  const [emails, setEmails] = useState("");
  const [role, setRole] = useState<RoleName>("org_viewer");
  const [language, setLanguage] = useState<Language | "">("");
  const attempt = useAttempt();
  const roles = roleRights.filter((one) => one.role !== "org_owner" || user.value?.role === "org_owner");
  const send = (): Promise<boolean> =>
    attempt.send(async () => {
      const body = { emails, role, language: language === "" ? null : language };
      onDone(await api("POST /api/invitations/bulk", { body }));
    });
  return (
    <FormDialog
      title="Invite people"
      sub={
        byMail
          ? "Each gets a letter with a link that is good for seven days."
          : "This panel sends no mail: you get a link for each of them to hand out, good for seven days."
      }
      action="Invite"
      width="md"
      ready={emails.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("emails")}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Field label="Addresses" hint="Up to fifty, between commas or lines." error={attempt.errorOf("emails")}>
        {({ id, describedBy }) => (
          <span class={`input area ${attempt.errorOf("emails") === null ? "" : "is-error"}`}>
            <textarea
              id={id}
              rows={4}
              spellcheck={false}
              aria-describedby={describedBy}
              aria-invalid={attempt.errorOf("emails") === null ? undefined : true}
              value={emails}
              onInput={(event) => attempt.edits("emails", setEmails)(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
      <div class="field">
        <p class="label">Role</p>
        <Select
          label="Role"
          value={role}
          options={roles.map((one) => ({ value: one.role, label: roleNames[one.role] }))}
          onValue={setRole}
        />
        <p class="hint">{roleRights.find((one) => one.role === role)?.may}</p>
      </div>
      {byMail && (
        <div class="field">
          <p class="label">Language of the letter</p>
          <Select
            label="Language of the letter"
            value={language}
            options={languageChoices("The workspace’s")}
            onValue={setLanguage}
          />
        </div>
      )}
    </FormDialog>
  );
}

function Outcome({
  done: { invited, skipped },
  byMail,
  onClose,
}: {
  done: Done;
  byMail: boolean;
  onClose: () => void;
}) {
  const links = invited.filter(({ url }) => url !== null);
  return (
    <Dialog
      title={
        invited.length === 0 ? "Nobody was invited" : `${count(invited.length, "person is", "people are")} invited`
      }
      sub={
        links.length > 0
          ? "The links are shown only now. Send each to the one it is for, and to nobody else."
          : undefined
      }
      onClose={onClose}
      held={links.length > 0}
      foot={
        <Button kind="primary" class="push" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        {byMail && invited.length > 0 && <p>The letters are on their way.</p>}
        {links.map(({ id, email, url }) => (
          <div key={id} class="field">
            <p class="label cut">{email}</p>
            <CodeLine text={url ?? ""} />
          </div>
        ))}
        {skipped.length > 0 && (
          <ul class="skipped">
            {skipped.map(({ email, reason }) => (
              <li key={email}>
                <span class="cut">{email}</span>
                <Status state="warn">{reasons[reason]}</Status>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
