import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isServerThere, markUnreachable, onReconnect } from "../../client/connection.ts";
import { Button } from "../../kit/button.tsx";
import { Banner } from "../../kit/card.tsx";
import { Chip } from "../../kit/status.tsx";
import type { Connect } from "./connection.ts";
import { KeyBar } from "./key-bar.tsx";
import { useTerminal } from "./use-terminal.ts";

/** One terminal, opened at once, with what is to do when it is over. */
export function TerminalPane({
  tab,
  label,
  connect,
  reconnect,
  isShown,
  isReadable,
  form,
  onLeave,
}: {
  /** The id of its tab. */
  tab: string;
  label: string;
  connect: Connect;
  /** How it is opened anew. */
  reconnect: Connect;
  isShown: boolean;
  isReadable: boolean;
  /** What is asked before it is opened anew. */
  form: ComponentChildren;
  onLeave: () => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const terminal = useTerminal(host, { label, onLeave });
  const { is, words, isRecorded, isLost, isRefused } = terminal.state;
  useEffect(() => terminal.open(connect), []);
  useEffect(() => {
    if (!isLost) return;
    let isGone = false;
    const again = (): void => {
      if (isGone) return;
      isGone = true;
      terminal.open(reconnect, true);
    };
    // The way may have broken alone; else the page says when the server is back.
    void isServerThere().then((isThere) => (isThere ? again() : markUnreachable()));
    const stop = onReconnect(again);
    return () => {
      isGone = true;
      stop();
    };
  }, [isLost]);
  useEffect(() => terminal.setReadable(isReadable), [isReadable]);
  useEffect(() => {
    if (isShown && is === "open") terminal.focus();
  }, [isShown]);
  return (
    <div class="termpane" role="tabpanel" aria-labelledby={tab} hidden={!isShown}>
      {words !== null && <Banner state={is === "over" && !isRefused ? "info" : "warn"}>{words}</Banner>}
      {is === "opening" && <p class="c3 t12">Opening…</p>}
      {is === "over" && (
        <>
          {form}
          <div class="row">
            <Button
              kind={isRefused ? "default" : "primary"}
              size="sm"
              icon="terminal"
              onClick={() => terminal.open(reconnect)}
            >
              {isRefused ? "Try again" : "Open again"}
            </Button>
          </div>
        </>
      )}
      {is === "open" && isRecorded && (
        <p class="t12 row" role="status">
          <Chip state="warn">Recorded</Chip> What this terminal shows is kept; what is typed only where it is shown.
        </p>
      )}
      <div class="termhost" ref={host} />
      <KeyBar disabled={is !== "open"} onType={terminal.type} />
    </div>
  );
}
