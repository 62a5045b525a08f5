import type { Forwarder } from "../../../../src/node/monitoring/log-forwarders/contract.ts";
import { ago, bytesText, count, moment } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { kinds, levelNames, placeOf, sourceNames } from "./forwarder-form.ts";

const states: Record<Forwarder["state"], State> = {
  working: "ok",
  failing: "crit",
  idle: "unknown",
  off: "off",
  paused: "warn",
};

const waitingText = ({ waiting, waiting_bytes, waiting_limit_bytes }: Forwarder): string =>
  waiting === 0
    ? ""
    : `, ${count(waiting, "line")} waiting (${bytesText(waiting_bytes)} of ${bytesText(waiting_limit_bytes)})`;

/** How a forwarder is doing, in words. */
function stateText(forwarder: Forwarder): string {
  const { state, failing_since, last_sent_at, sent } = forwarder;
  const waits = waitingText(forwarder);
  if (state === "off") return `Switched off${waits}`;
  if (state === "paused")
    return "Paused: its maker may not have log forwarders any more. An admin takes it over or deletes it";
  if (state === "failing") return `Failing since ${failing_since === null ? "just now" : ago(failing_since)}${waits}`;
  if (state === "idle") return `No line sent yet${waits}`;
  return `${count(sent, "line")} sent, the last ${last_sent_at === null ? "before" : ago(last_sent_at)}${waits}`;
}

/** One forwarder: where it leads, what goes there, how it is doing, and what can be done with it. */
export function ForwarderRow({
  forwarder,
  busy,
  onTest,
  onTakeOver,
  items,
}: {
  forwarder: Forwarder;
  busy: boolean;
  /** Null where nothing is sent. */
  onTest: (() => void) | null;
  /** Null where there is nothing to take over. */
  onTakeOver: (() => void) | null;
  items: MenuItem[];
}) {
  const { name, kind, sources, min_level, state, last_error, last_sent_at, dropped, dropped_why, dropped_at } =
    forwarder;
  const what = `${sourceNames[sources]}, ${levelNames[min_level ?? ""].toLowerCase()}`;
  return (
    <div class="item channelrow">
      <span class="tile md plain">
        <Icon name={kinds.find((item) => item.kind === kind)?.icon ?? "server"} />
      </span>
      <span class="body">
        <span class="title cut">{name}</span>
        <span class="sub cut">{placeOf(forwarder)}</span>
        <span class="sub cut">{what}</span>
        <span class="sub status row" data-tip={last_sent_at === null ? undefined : moment(last_sent_at)}>
          <Glyph state={states[state]} />
          {stateText(forwarder)}
        </span>
        {forwarder.kept_out.length > 0 && (
          <span class="sub">
            Takes nothing from {forwarder.kept_out.join(", ")}: what is sent arrives there, and would come back without
            an end.
          </span>
        )}
        {last_error !== null && state === "failing" && <span class="sub said">{last_error}</span>}
        {dropped > 0 && (
          <span class="sub status row said" data-tip={dropped_at === null ? undefined : moment(dropped_at)}>
            <Glyph state="warn" />
            {count(dropped, "line")} lost{dropped_why === null ? "" : `: ${dropped_why}`}
          </span>
        )}
      </span>
      <span class="acts row">
        {onTest !== null && (
          <Button size="sm" busy={busy} onClick={onTest} aria-label={`Send a test to ${name}`}>
            Test
          </Button>
        )}
        {onTakeOver !== null && (
          <Button size="sm" onClick={onTakeOver} aria-label={`Take over ${name}`}>
            Take over
          </Button>
        )}
        <Menu
          label={`More for ${name}`}
          trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More for ${name}`} />}
          items={items}
        />
      </span>
    </div>
  );
}
