import type { Enrolment } from "../../../../src/panel/fleet/onboarding/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Banner, Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { roomText } from "./room-words.ts";

/** How many nodes the plan has room for. */
export function Room({ of }: { of: Enrolment | null }) {
  return <span class="t13 c3">{of === null ? "" : roomText(of)}</span>;
}

/** In place of trying in vain: the plan is full, and what to do. */
export function Full({ of }: { of: Enrolment | null }) {
  if (of === null) return null;
  return (
    <Banner
      state="warn"
      action={
        <LinkButton href="/fleet?sort=last_seen" size="sm">
          See who is silent
        </LinkButton>
      }
    >
      <b class="w6">The {of.plan} plan has no room for another node.</b> Delete one that is gone, or ask whoever runs
      this panel for a larger plan. A server that was enrolled before may come back all the same.
    </Banner>
  );
}

/** Servers that tried to come in within the last hour, and why they could not. */
export function Refused({ list }: { list: Enrolment["refused"] }) {
  if (list.length === 0) return null;
  return (
    <Card title="Turned away" aside="within the last hour">
      <ul class="lines">
        {list.map((one) => (
          <li key={`${one.hostname} ${one.address} ${one.code}`} class="row">
            <Glyph state="crit" />
            <span class="col">
              <span class="cut w5">{one.hostname}</span>
              <span class="t12 c2">{one.message}</span>
              <span class="t12 c3">
                From {one.address}, with the line “{one.token}”
              </span>
            </span>
            <time class="push t12 c3 nowrap" dateTime={one.at} data-tip={moment(one.at)}>
              {ago(one.at)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  );
}
