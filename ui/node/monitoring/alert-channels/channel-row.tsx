import type { Channel } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { ago, count, moment } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { placeOf } from "./channel-form.ts";
import { kindOf } from "./channel-kinds.ts";

const states: Record<Channel["state"], State> = {
  working: "ok",
  failing: "crit",
  unused: "unknown",
  off: "off",
  paused: "warn",
};

/** How a channel is doing, in words. */
function stateText(channel: Channel): string {
  const { state, failing_since, last_delivery_at, last_error, queued } = channel;
  const waiting = queued === 0 ? "" : `, ${count(queued, "alert")} waiting`;
  if (state === "off") return "Switched off";
  if (state === "paused")
    return "Paused: its maker may not have alert channels any more. An admin takes it over or deletes it";
  if (state === "failing") return `Failing since ${failing_since === null ? "just now" : ago(failing_since)}${waiting}`;
  if (state === "unused") return last_error === null ? `Not used yet${waiting}` : "Test failed";
  return `Works, last message ${last_delivery_at === null ? "never" : ago(last_delivery_at)}${waiting}`;
}

/** One channel: what it is, where it leads, how it is doing, and what can be done with it. */
export function ChannelRow({
  channel,
  busy,
  onTest,
  onTakeOver,
  onTrail,
  items,
}: {
  channel: Channel;
  busy: boolean;
  /** Null for those who may only look, and where nothing is sent. */
  onTest: (() => void) | null;
  /** Null where there is nothing to take over. */
  onTakeOver: (() => void) | null;
  onTrail: () => void;
  items: MenuItem[];
}) {
  const kind = kindOf(channel.type);
  const isTrouble = channel.last_error !== null && channel.state !== "off" && channel.state !== "paused";
  return (
    <div class="item channelrow">
      <span class="tile md plain">
        <Icon name={kind.icon} />
      </span>
      <span class="body">
        <span class="title cut">{channel.name}</span>
        <span class="sub cut">
          {kind.name}, {placeOf(channel)}
        </span>
        <span
          class="sub status row"
          data-tip={channel.last_delivery_at === null ? undefined : moment(channel.last_delivery_at)}
        >
          <Glyph state={channel.state === "unused" && isTrouble ? "crit" : states[channel.state]} />
          {stateText(channel)}
        </span>
        {isTrouble && <span class="sub said">“{channel.last_error}”</span>}
      </span>
      <span class="acts row">
        {onTest !== null && (
          <Button size="sm" busy={busy} onClick={onTest} aria-label={`Send a test to ${channel.name}`}>
            Test
          </Button>
        )}
        {onTakeOver !== null && (
          <Button size="sm" onClick={onTakeOver} aria-label={`Take over ${channel.name}`}>
            Take over
          </Button>
        )}
        <Menu
          label={`More for ${channel.name}`}
          trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More for ${channel.name}`} />}
          items={[{ label: "Deliveries", icon: "list", run: onTrail }, ...items]}
        />
      </span>
    </div>
  );
}
