import { useState } from "preact/hooks";
import { moment } from "../../../client/format.ts";
import { Segmented } from "../../../kit/choice.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";

const snippets = {
  node: `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the bytes as they came, before any parsing
function isGenuine(body, header, secret) {
  const hex = createHmac("sha256", secret).update(body).digest("hex");
  const want = Buffer.from(\`sha256=\${hex}\`);
  const got = Buffer.from(header ?? "");
  return got.length === want.length && timingSafeEqual(got, want);
}

isGenuine(rawBody, request.headers["x-service-signature"], SECRET);`,
  python: `import hashlib, hmac

# body: the bytes as they came, before any parsing
def is_genuine(body: bytes, header: str, secret: str) -> bool:
    want = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(want, header or "")

is_genuine(request.body, request.headers["X-Service-Signature"], SECRET)`,
};

/** The signing secret, shown only now, and how a receiver checks with it who is calling. */
export function SecretDialog({
  title,
  secret,
  previousUntil = null,
  onClose,
}: {
  title: string;
  secret: string;
  /** Until when the secret before this one signs as well. */
  previousUntil?: string | null;
  onClose: () => void;
}) {
  const [language, choose] = useState<"node" | "python">("node");
  return (
    <ShownOnce title={title} label="Signing secret" secret={secret} onClose={onClose}>
      {previousUntil !== null && (
        <p class="c2">
          Until {moment(previousUntil)} the old secret signs too, in <code class="mono">webhook-signature</code>.{" "}
          <code class="mono">X-Service-Signature</code> uses the new one from now on.
        </p>
      )}
      <div class="field">
        <span class="label row">
          <span>Check every request with it</span>
          <span class="push row">
            <Segmented
              label="Language"
              size="sm"
              value={language}
              options={[
                { value: "node", label: "Node.js" },
                { value: "python", label: "Python" },
              ]}
              onValue={choose}
            />
            <Copy text={snippets[language]} label="Copy the code" />
          </span>
        </span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard. */}
        <pre class="code snippet" tabIndex={0}>
          {snippets[language]}
        </pre>
        <p class="hint">
          <span>
            Requests carry the headers of Standard Webhooks too, so any of its libraries can do this. The same event may
            come twice: answer 2xx and skip an <code class="mono">id</code> that you know.
          </span>
        </p>
      </div>
    </ShownOnce>
  );
}
