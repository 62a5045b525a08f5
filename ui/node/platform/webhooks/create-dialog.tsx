import { useState } from "preact/hooks";
import type { WebhookCreated } from "../../../../src/node/platform/webhooks/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { EventPicker, everything } from "./event-picker.tsx";

/** Adds a webhook: where to, and which events. */
export function CreateDialog({ onClose, onMade }: { onClose: () => void; onMade: (webhook: WebhookCreated) => void }) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState([everything]);
  const attempt = useAttempt();
  const refusal = attempt.problem?.code === "webhook_url_refused" ? attempt.problem.message : attempt.errorOf("url");
  return (
    <FormDialog
      title="Add webhook"
      sub="Each event is sent there as a signed HTTP POST."
      action="Add webhook"
      ready={url.trim() !== "" && events.length > 0}
      attempt={attempt}
      refusal={attempt.besides("url")}
      onSubmit={() =>
        void attempt.send(async () => onMade(await api("POST /api/webhooks", { body: { url: url.trim(), events } })))
      }
      onClose={onClose}
    >
      <Input
        label="Address"
        value={url}
        onValue={attempt.edits("url", setUrl)}
        hint="Starts with https:// (or http://). Redirects are not followed."
        error={refusal}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <EventPicker chosen={events} onChosen={setEvents} />
    </FormDialog>
  );
}
