import { useState } from "preact/hooks";
import { Checkbox, Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import type { ChannelInput, ChatChannel } from "./types.ts";

const services = [
  { value: "slack", label: "Slack, Mattermost, Rocket.Chat, Google Chat" },
  { value: "discord", label: "Discord" },
  { value: "teams", label: "Microsoft Teams" },
] as const;

const kinds = [
  { kind: "node.offline", title: "Servers go offline" },
  { kind: "incident.opened", title: "Something else is wrong" },
  { kind: "incident.escalated", title: "It gets worse" },
  { kind: "canary.paused", title: "A rollout stops" },
] as const;
type Kind = (typeof kinds)[number]["kind"];

interface Props {
  channel: ChatChannel | null;
  onDone: () => void;
  onClose: () => void;
}

/** Adds a room, or changes one. */
export function ChannelDialog({ channel, onDone, onClose }: Props) {
  const [name, setName] = useState(channel?.name ?? "");
  const [service, setService] = useState<ChannelInput["service"]>(channel?.service ?? "slack");
  const [url, setUrl] = useState("");
  const [wanted, setWanted] = useState<readonly Kind[]>(
    kinds.map(({ kind }) => kind).filter((kind) => channel === null || channel.kinds.includes(kind)),
  );
  const [isCritical, setCritical] = useState(channel?.least_severity === "critical");
  const attempt = useAttempt();
  const send = async (): Promise<void> => {
    const least_severity = isCritical ? ("critical" as const) : ("warning" as const);
    const chosen = { name: name.trim(), service, kinds: [...wanted], least_severity };
    const address = url.trim();
    if (channel === null) await api("POST /api/chat-channels", { body: { ...chosen, url: address } });
    else
      await api("PUT /api/chat-channels/{id}", {
        path: { id: channel.id },
        body: { ...chosen, ...(address === "" ? {} : { url: address }) },
      });
    onDone();
  };
  return (
    <FormDialog
      title={channel === null ? "Add a room" : `Change ${channel.name}`}
      sub="The service makes an address for incoming messages (a webhook); whoever has it can write there."
      action={channel === null ? "Add it" : "Save"}
      width="md"
      ready={name.trim() !== "" && wanted.length > 0 && (channel !== null || url.trim() !== "")}
      attempt={attempt}
      refusal={attempt.besides("name", "url")}
      onSubmit={() => void attempt.send(send)}
      onClose={onClose}
    >
      <Input label="Name" hint="Such as #operations." {...attempt.field("name", name, setName)} autocomplete="off" />
      <div class="field">
        <p class="label">Service</p>
        <Select label="Service" value={service} options={[...services]} onValue={setService} />
      </div>
      <Input
        label="Address of the webhook"
        hint={channel === null ? "It begins with https://." : "Empty leaves the one that is kept."}
        {...attempt.field("url", url, setUrl)}
        autocomplete="off"
      />
      <fieldset class="stack">
        <legend class="label">What it hears</legend>
        {kinds.map(({ kind, title }) => (
          <Checkbox
            key={kind}
            checked={wanted.includes(kind)}
            onChecked={(isOn) => setWanted((now) => (isOn ? [...now, kind] : now.filter((each) => each !== kind)))}
          >
            {title}
          </Checkbox>
        ))}
      </fieldset>
      <Checkbox checked={isCritical} onChecked={setCritical} sub="Warnings stay in the list of each member.">
        Only what is critical
      </Checkbox>
    </FormDialog>
  );
}
