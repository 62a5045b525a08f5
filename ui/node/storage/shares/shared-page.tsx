import { useEffect, useState } from "preact/hooks";
import type { OpenedShare } from "../../../../src/node/storage/shares/contract.ts";
import { bytesText, count, moment } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { ErrorCard, Skeleton } from "../../../kit/card.tsx";
import { Password } from "../../../kit/field.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { AddFiles } from "./add-files.tsx";
import { DownloadLink } from "./download-link.tsx";
import { SharedFolder } from "./shared-folder.tsx";

/** What a link to a file or folder leads to, for people without an account here. */
export function SharedPage({ token }: { token: string }) {
  const [opened, setOpened] = useState<OpenedShare | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [pass, setPass] = useState<string | null>(null);
  const load = async (now: string | null): Promise<void> => {
    const query = now === null ? {} : { pass: now };
    try {
      setOpened(await api("GET /api/shares/{token}", { path: { token }, query, anonymous: true }));
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  useEffect(() => void load(pass), [token, pass]);
  return (
    <Gate silent>
      <main class="signin" id="main">
        <Hello>{opened?.by != null ? `${opened.by} shares this with you` : "Shared with you"}</Hello>
        {problem !== null ? (
          <ErrorCard
            title="This link does not open"
            why={problem.message}
            code={problem.code}
            action={{ label: "Try again", run: () => void load(pass) }}
          />
        ) : opened === null ? (
          <Skeleton rows={3} />
        ) : opened.needs_password ? (
          <Enter token={token} onPass={setPass} />
        ) : (
          <Content token={token} pass={pass} opened={opened} onUsed={() => void load(pass)} />
        )}
      </main>
    </Gate>
  );
}

function Enter({ token, onPass }: { token: string; onPass: (pass: string) => void }) {
  const [password, setPassword] = useState("");
  const attempt = useAttempt();
  return (
    <form
      class="card card-b sharedadd stack"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.send(async () => {
          const { pass } = await api("POST /api/shares/{token}/pass", {
            path: { token },
            body: { password },
            anonymous: true,
          });
          onPass(pass);
        });
      }}
    >
      <Password
        label="Password of this link"
        autocomplete="off"
        autofocus
        {...attempt.field("password", password, setPassword)}
      />
      {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
      <Button type="submit" kind="primary" busy={attempt.busy} disabled={password === "" || attempt.wait > 0}>
        Open
      </Button>
    </form>
  );
}

function Content({
  token,
  pass,
  opened: { mode, node, expires_at, downloads_left },
  onUsed,
}: {
  token: string;
  pass: string | null;
  opened: OpenedShare;
  onUsed: () => void;
}) {
  const [added, setAdded] = useState(0);
  if (node === null) return null;
  return (
    <div class="stack sharedcontent">
      <section class="card" aria-label={node.name}>
        <div class="item">
          <Icon name={node.kind === "folder" ? "folder" : "file-text"} />
          <div class="body col">
            <b class="sharedname">{node.name}</b>
            <span class="t13 c3">
              {[
                node.kind === "file" ? bytesText(node.size_bytes) : "Folder",
                ...(expires_at === null ? [] : [`until ${moment(expires_at)}`]),
                ...(downloads_left === null ? [] : [`${count(downloads_left, "download")} left`]),
              ].join(", ")}
            </span>
          </div>
          {mode !== "drop" && (
            <DownloadLink
              token={token}
              pass={pass}
              name={node.kind === "file" ? node.name : `${node.name}.zip`}
              words={node.kind === "file" ? "Save" : "Save all"}
              onUsed={onUsed}
            />
          )}
        </div>
      </section>
      {node.kind === "folder" && mode !== "drop" && (
        <SharedFolder key={added} token={token} pass={pass} mayAdd={mode === "write"} onUsed={onUsed} />
      )}
      {mode === "drop" && <AddFiles token={token} pass={pass} folder={null} onAdded={() => setAdded(added + 1)} />}
      <p class="t13 c3">What is saved from here comes from {location.host}. Open only what you expect.</p>
    </div>
  );
}
