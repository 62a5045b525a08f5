import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { api } from "../../client/api.ts";

const REFUSALS: Record<string, string> = {
  panel_not_linked: "This server belongs to no panel any more. Use another way in.",
  panel_address_unknown: "The panel does not know this server by this address. Open it at another of its addresses.",
  panel_state_wrong: "That sign-in was not begun in this browser, or it took too long. Begin it again.",
  panel_said_no: "The panel did not confirm who you are. Begin again, or use another way in.",
  panel_away: "The panel could not be reached. Try again, or use another way in.",
  panel_not_a_page: "That link opens only as a page of its own. Open this server from the panel again.",
  panel_token_refused: "That link has run out or was used already. Open this server from the panel again.",
  panel_user_disabled: "Your account on this server is switched off. Ask one of its admins.",
  too_many_requests: "Too many tries from this address. Wait some minutes.",
};

/** What the address says about a sign-in through the panel that failed; taken out of it, so that a reload is a fresh page. */
function takeRefusal(): string | null {
  const url = new URL(location.href);
  const code = url.searchParams.get("refused");
  if (code === null) return null;
  url.searchParams.delete("refused");
  history.replaceState(history.state, "", url);
  return REFUSALS[code] ?? "The sign-in through the panel did not work. Use another way in.";
}

/** The way in through the panel that this server belongs to; nothing where it belongs to none. */
export function PanelWay() {
  const [host, setHost] = useState<string | null>(null);
  const [refusal] = useState(takeRefusal);

  useEffect(() => {
    api("GET /api/auth/cp-status", { anonymous: true }).then(
      ({ sign_in_available, panel_url }) => {
        if (sign_in_available && panel_url !== null) setHost(new URL(panel_url).host);
      },
      () => {},
    );
  }, []);

  if (host === null && refusal === null) return null;
  const next = location.pathname === "/" ? "" : `?next=${encodeURIComponent(location.pathname + location.search)}`;
  return (
    <>
      {refusal !== null && (
        <p class="hint crit" role="alert">
          <Glyph state="crit" />
          <span>{refusal}</span>
        </p>
      )}
      {host !== null && (
        <a class="btn wide" href={`/api/oauth/start${next}`}>
          <Icon name="globe" />
          <span>Sign in with {host}</span>
        </a>
      )}
    </>
  );
}
