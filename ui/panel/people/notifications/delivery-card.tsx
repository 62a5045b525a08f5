import type { Preferences } from "../../../../src/panel/people/notifications/contract.ts";
import { Card } from "../../../kit/card.tsx";
import { Segmented, Select, Switch } from "../../../kit/choice.tsx";

import { MailTrouble } from "../../parts/mail-outcome.tsx";

type Delivery = Pick<Preferences, "digest" | "digest_at" | "quiet" | "time_zone">;

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const night = { from: "22:00", to: "07:00" };

/** Full hours, and the time that was chosen otherwise. */
function hoursWith(chosen: string): { value: string; label: string }[] {
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
  return [...new Set([...hours, chosen])].sort().map((value) => ({ value, label: value }));
}

/** When mail comes: at once, by day or by week, and the hours in which it waits. */
export function DeliveryCard({
  of: { digest, digest_at, quiet, time_zone },
  mail,
  onChange,
}: {
  of: Delivery;
  mail: Preferences["mail"];
  onChange: (change: Partial<Delivery>) => void;
}) {
  /** Hours mean something only in a zone: whoever never chose one means their own. */
  const choose = (change: Partial<Delivery>): void =>
    onChange(digest === "now" && quiet === null && time_zone === "UTC" ? { time_zone: ownZone, ...change } : change);
  const zones = [...new Set([ownZone, time_zone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <Card title="When mail comes" w={12}>
      <div class="card-b stack">
        <MailTrouble of={mail} />
        {mail?.unreachable && (
          <p class="t13">
            The mail server says that nobody has your address, so nothing goes there.{" "}
            <a class="link" href="/profile">
              Try it again or change it
            </a>{" "}
            in your profile.
          </p>
        )}
        <p class="t13 c3">
          What is critical comes at once, at any hour. The list of the bell has everything as it happens.
        </p>
        <div class="row wrap">
          <Segmented
            label="How often mail comes"
            value={digest}
            options={[
              { value: "now", label: "At once" },
              { value: "daily", label: "Once a day" },
              { value: "weekly", label: "On Mondays" },
            ]}
            onValue={(value) => choose({ digest: value })}
          />
          {digest !== "now" && (
            <Select
              size="sm"
              label="At what time"
              value={digest_at}
              options={hoursWith(digest_at)}
              onValue={(value) => choose({ digest_at: value })}
            />
          )}
        </div>
        {digest === "now" && (
          <Switch
            checked={quiet !== null}
            onChecked={(on) => choose({ quiet: on ? night : null })}
            sub="Mail of these hours comes as one letter when they are over."
          >
            Quiet hours
          </Switch>
        )}
        {digest === "now" && quiet !== null && (
          <div class="row wrap">
            <span class="t13 c3">from</span>
            <Select
              size="sm"
              label="Quiet from"
              value={quiet.from}
              options={hoursWith(quiet.from).filter(({ value }) => value !== quiet.to)}
              onValue={(from) => choose({ quiet: { ...quiet, from } })}
            />
            <span class="t13 c3">to</span>
            <Select
              size="sm"
              label="Quiet until"
              value={quiet.to}
              options={hoursWith(quiet.to).filter(({ value }) => value !== quiet.from)}
              onValue={(to) => choose({ quiet: { ...quiet, to } })}
            />
          </div>
        )}
        {(digest !== "now" || quiet !== null) && (
          <Select
            size="sm"
            label="Time zone"
            value={time_zone}
            options={zones.map((zone) => ({ value: zone, label: zone }))}
            onValue={(zone) => choose({ time_zone: zone })}
          />
        )}
      </div>
    </Card>
  );
}
