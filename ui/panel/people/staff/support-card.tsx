import { useState } from "preact/hooks";
import { moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import type { Permits } from "./types.ts";

/** Whether the staff of the panel is let in, and the way to change that. */
export function SupportCard() {
  return may("settings:write", { ownRole: true }) ? <Shown /> : null;
}

function Shown() {
  const permits = useResource("GET /api/support-access", { everyMs: 30_000 });
  const [isAsking, ask] = useState(false);
  const close = async (): Promise<void> => {
    try {
      await api("DELETE /api/support-access");
      toast("Nobody of the staff is let in any more.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await permits.refresh();
  };
  return (
    <Card title="Access for support" class="start" w={6}>
      <div class="card-b stack">
        <Loaded of={permits} what="Access for support">
          {(data) => (
            <>
              <About permits={data} />
              <div class="btns">
                {data.open === null ? (
                  <Button icon="key" onClick={() => ask(true)}>
                    Let support in
                  </Button>
                ) : (
                  <Button kind="danger" onClick={() => void close()}>
                    End it now
                  </Button>
                )}
              </div>
            </>
          )}
        </Loaded>
      </div>
      {isAsking && (
        <LetIn
          onDone={() => {
            ask(false);
            void permits.refresh();
          }}
          onClose={() => ask(false)}
        />
      )}
    </Card>
  );
}

function About({ permits: { open, past } }: { permits: Permits }) {
  const [last] = past;
  if (open === null)
    return (
      <p class="c2">
        Whoever runs this panel cannot look into this workspace unless you let them.
        {last !== undefined && ` The last time was until ${moment(last.ended_at ?? last.ends_at)}.`}
      </p>
    );
  const names = open.visitors.map(({ name }) => name).join(", ");
  return (
    <>
      <Status state="warn">Support is let in</Status>
      <p class="c2">
        Until {moment(open.ends_at)}. {names === "" ? "Nobody has come yet." : `Here since then: ${names}.`}
      </p>
    </>
  );
}

const spans = [
  { value: "1", label: "An hour" },
  { value: "8", label: "Eight hours" },
  { value: "24", label: "A day" },
  { value: "72", label: "Three days" },
] as const;

function LetIn({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [hours, setHours] = useState<(typeof spans)[number]["value"]>("8");
  const [note, setNote] = useState("");
  const attempt = useAttempt();
  const send = async (): Promise<void> => {
    await api("POST /api/support-access", { body: { hours: Number(hours), note: note.trim() } });
    onDone();
  };
  return (
    <FormDialog
      title="Let support in?"
      sub="Staff of this panel can then do here what your admins can, but for the rules and people of the workspace and for terminals. The team page and the audit log show who came."
      action="Let them in"
      ready
      attempt={attempt}
      refusal={attempt.besides("note")}
      onSubmit={() => void attempt.send(send)}
      onClose={onClose}
    >
      <div class="field">
        <p class="label">For how long</p>
        <Select label="For how long" value={hours} options={[...spans]} onValue={setHours} />
      </div>
      <Input
        label="What it is about"
        hint="Optional; support reads it, and it stays in the audit log."
        {...attempt.field("note", note, setNote)}
        autocomplete="off"
      />
    </FormDialog>
  );
}
