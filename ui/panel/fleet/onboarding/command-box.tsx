import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { timer } from "../../../client/countdown.ts";
import { clock } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { copyText } from "../../../kit/copy.tsx";
import { Status } from "../../../kit/status.tsx";
import type { EnrollToken } from "../../client/types.ts";

/** Below this many seconds the page says how long a line is still valid. */
const shortSeconds = 600;

/** The whole line to run, with one large button to copy it. */
export function CommandBox({
  token,
  left,
  isUsed,
  onRenew,
}: {
  token: EnrollToken;
  /** Seconds until it expires. */
  left: number;
  isUsed: boolean;
  onRenew: () => void;
}) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const [isBare, setBare] = useState(token.install_command !== null);
  const line = (isBare ? token.install_command : null) ?? token.command;
  const copy = async (): Promise<void> => {
    setCopied(await copyText(line));
    setTimeout(() => setCopied(null), 2400);
  };
  const isOver = isUsed || left === 0;
  return (
    <section class={`commandbox ${isOver ? "is-over" : ""}`} aria-label="The line to run">
      {token.install_command !== null && (
        <Segmented
          label="What the server has"
          value={isBare ? "bare" : "installed"}
          options={[
            { value: "bare", label: "A bare server" },
            { value: "installed", label: "Orrery is installed" },
          ]}
          onValue={(value) => setBare(value === "bare")}
        />
      )}
      <code>
        {line.split(" ").map((word, index) => (
          <Fragment key={index}>
            {index > 0 && " "}
            <span class={/^--\w/.test(word) ? "flag" : ""}>{word}</span>
          </Fragment>
        ))}
      </code>
      <div class="row wrap">
        {isOver ? (
          <Button kind={isUsed ? "default" : "primary"} icon="restart" onClick={onRenew}>
            Make a line
          </Button>
        ) : (
          <Button kind="primary" size="lg" icon={copied === true ? "check" : "copy"} onClick={() => void copy()}>
            {copied === true ? "Copied" : "Copy the line"}
          </Button>
        )}
        <span class="t13 c3" role="status">
          {copied === false ? (
            <Status state="warn">The browser refused. Select the line and copy it by hand.</Status>
          ) : (
            <Term isUsed={isUsed} left={left} expiresAt={token.expires_at} />
          )}
        </span>
      </div>
    </section>
  );
}

function Term({ isUsed, left, expiresAt }: { isUsed: boolean; left: number; expiresAt: string }) {
  if (isUsed) return <>A server has come in. Each line works once.</>;
  if (left === 0) return <>Expired at {clock(Date.parse(expiresAt))}.</>;
  return (
    <>
      For one server, good until {clock(Date.parse(expiresAt))}
      {left < shortSeconds && `, ${timer(left)} left`}
    </>
  );
}
