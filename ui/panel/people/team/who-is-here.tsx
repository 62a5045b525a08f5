import { useContext, useEffect } from "preact/hooks";
import { ago, count } from "../../../client/format.ts";
import { path } from "../../../client/router.ts";
import { Popover } from "../../../kit/menu.tsx";
import { Avatar, Status } from "../../../kit/status.tsx";
import { findScreen, ScreensContext } from "../../../shell/screens.ts";
import { useChanges } from "../../client/changes.ts";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import type { MemberPresence } from "../../client/types.ts";

/** More than these are not asked for; the team page has all. */
const listed = 20;
const shown = 3;
/** Many who come and go in one moment are asked for together. */
const leastMs = 2000;

/** Who else has the panel open; those on the same page come first. Nothing while somebody is alone. */
export function WhoIsHere() {
  const { data, refresh } = useResource("GET /api/presence", { query: { limit: listed } });
  useChanges("presence", refresh, leastMs);
  const here = data.value;
  const others = (here?.users ?? []).filter(({ id }) => id !== user.value?.id);
  if (others.length === 0) return null;
  const sorted = others.toSorted((a, b) => Number(isOnThisPage(b)) - Number(isOnThisPage(a)));
  const more = sorted.length - shown;
  return (
    <Popover
      role="dialog"
      label="Who else is here"
      trigger={(props) => (
        <button {...props} type="button" class="btn ghost here-now" aria-label={sayWho(sorted)}>
          {sorted.slice(0, shown).map((member) => (
            <span key={member.id} class={isOnThisPage(member) ? "same-page" : ""}>
              <Avatar name={member.display_name} size="sm" />
            </span>
          ))}
          {more > 0 && <span class="t12 c3">+{more}</span>}
        </button>
      )}
    >
      {(close) => <Everybody others={sorted} refresh={refresh} close={close} />}
    </Popover>
  );
}

interface EverybodyProps {
  others: readonly MemberPresence[];
  refresh: () => Promise<void>;
  close: () => void;
}

/** Nobody is told how long others have been idle; it is asked for when somebody looks. */
function Everybody({ others, refresh, close }: EverybodyProps) {
  useEffect(() => void refresh(), [refresh]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard. */}
      <ul class="here-list" tabIndex={0}>
        {others.map((member) => (
          <li key={member.id}>
            <Somebody member={member} onGo={close} />
          </li>
        ))}
      </ul>
      <a href="/team" class="t13" onClick={close}>
        Everybody in this workspace
      </a>
    </>
  );
}

function Somebody({ member, onGo }: { member: MemberPresence; onGo: () => void }) {
  return (
    <span class="row">
      <Avatar name={member.display_name} />
      <span class="col">
        <span class="host cut">{member.display_name}</span>
        <span class="t12 c3 row">
          <Status state={member.presence === "online" ? "ok" : "off"}>
            {member.presence === "online" ? "Online" : `Idle, seen ${ago(member.last_seen_at ?? "")}`}
          </Status>
          <Place member={member} onGo={onGo} />
        </span>
      </span>
    </span>
  );
}

function Place({ member: { current_page }, onGo }: { member: MemberPresence; onGo: () => void }) {
  const screens = useContext(ScreensContext);
  if (current_page === null) return null;
  if (current_page === path.value) return <span>on this page</span>;
  const screen = findScreen(screens, current_page)?.screen;
  if (screen === undefined || screen.mayOpen?.() === false) return null;
  return (
    <a href={current_page} onClick={onGo}>
      {screen.title}
    </a>
  );
}

const isOnThisPage = ({ current_page }: MemberPresence): boolean => current_page === path.value;

function sayWho(others: readonly MemberPresence[]): string {
  const together = others.filter(isOnThisPage).length;
  const all = `${count(others.length, "other person is", "other people are")} here`;
  return together === 0 ? all : `${all}, ${together} on this page`;
}
