import { useState } from "preact/hooks";
import type { Webhook } from "../../../../src/node/platform/webhooks/contract.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { EventPicker } from "./event-picker.tsx";

/** Changes which events a webhook hears. */
export function EventsDialog({
  webhook,
  onClose,
  onChanged,
}: {
  webhook: Webhook;
  onClose: () => void;
  onChanged: (webhook: Webhook) => void;
}) {
  const [events, setEvents] = useState(webhook.events);
  const attempt = useAttempt();
  const save = async (): Promise<void> =>
    onChanged(await api("PUT /api/webhooks/{id}", { path: { id: webhook.id }, body: { events } }));
  return (
    <FormDialog
      title="Events"
      sub="Counts from the next event on."
      action="Save"
      ready={events.length > 0}
      attempt={attempt}
      onSubmit={() => void attempt.send(save)}
      onClose={onClose}
    >
      <EventPicker chosen={events} onChosen={setEvents} />
    </FormDialog>
  );
}
