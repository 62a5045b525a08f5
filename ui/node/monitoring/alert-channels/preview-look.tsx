import type { Preview } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { Icon } from "../../../kit/icon.tsx";
import type { ChannelKind } from "./channel-kinds.ts";

/** The text roughly as its channel shows it; only the look is ours, the words are what is sent. */
export function PreviewLook({ type, preview }: { type: ChannelKind; preview: Preview }) {
  const { subject, body, payload } = preview;
  switch (type) {
    case "email":
      return (
        <div class="look mail">
          <p class="t13 c3">From Orrery</p>
          <p class="w6">{subject}</p>
          <p class="words">
            <Words text={body} />
          </p>
        </div>
      );
    case "telegram":
      return (
        <div class="look bubble">
          <p class="w6">{subject}</p>
          <p class="words">
            <Words text={body} />
          </p>
        </div>
      );
    case "slack":
      return (
        <div class="look post">
          <span class="tile sm">
            <Icon name="mark" />
          </span>
          <div>
            <p class="t13 c3">Orrery</p>
            <p class="w6">{subject}</p>
            <p class="words">
              <Words text={body} />
            </p>
          </div>
        </div>
      );
    case "discord":
      return (
        <div class="look embed">
          <p class="w6">{subject}</p>
          <p class="words">
            <Words text={body} />
          </p>
        </div>
      );
    case "webhook":
      return <pre class="look answer">{pretty(payload)}</pre>;
  }
}

/** Addresses look like links, as chats and mail programs show them; nothing here leads away. */
function Words({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/\S+)/);
  // Every second part is an address.
  return <>{parts.map((part, index) => (index % 2 === 1 ? <u key={part}>{part}</u> : part))}</>;
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
