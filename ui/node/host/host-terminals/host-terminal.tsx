import { useState } from "preact/hooks";
import type { HostTerminal as State } from "../../../../src/node/host/host-terminals/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner, Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { Status } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { LazyTerminals } from "../../parts/lazy-terminals.ts";
import { ProofDialog } from "../../people/auth/proof-dialog.tsx";

async function askPath({ columns, rows }: { columns: number; rows: number }): Promise<string> {
  const { ticket } = await api("POST /api/host/terminal/ticket");
  return `/ws/host/terminal?ticket=${ticket}&cols=${columns}&rows=${rows}`;
}

/** The terminals of this server, and who they open as. */
export function HostTerminal() {
  const state = useResource("GET /api/host/terminal");
  const [isChanging, setChanging] = useState(false);
  return (
    <div class="page">
      <header class="head">
        <h1>Terminal</h1>
        {state.data.value?.run_as && !isChanging && (
          <div class="btns push">
            <Status state={state.data.value.run_as === "root" ? "warn" : "ok"}>as {state.data.value.run_as}</Status>
            <Button size="sm" onClick={() => setChanging(true)}>
              Change
            </Button>
          </div>
        )}
      </header>
      <Loaded of={state} what="The terminal of this server" skeleton={<Skeleton rows={4} tile height={400} />}>
        {(now) => (
          <>
            {now.place !== "server" && <Banner state="info">{PLACES[now.place]}</Banner>}
            {isChanging ? (
              <Choice
                now={now}
                onDone={() => {
                  setChanging(false);
                  void state.refresh();
                }}
              />
            ) : now.run_as === null ? (
              <EmptyState
                page
                title="The terminal of this server is off"
                action={
                  <Button kind="primary" icon="terminal" onClick={() => setChanging(true)}>
                    Turn on
                  </Button>
                }
              >
                While it is on, every admin can run any command here as the user that you choose. Each terminal is in
                the audit log.
              </EmptyState>
            ) : (
              <LazyTerminals key={now.run_as} title={now.run_as} askPath={askPath} />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

const PLACES = {
  container: "Orrery runs in a container here. The terminal is inside that container, not on the server around it.",
  process: "Orrery runs here without systemd. The terminal opens beside it, with what Orrery itself may do.",
};

function Choice({ now, onDone }: { now: State; onDone: () => void }) {
  const [mode, setMode] = useState<State["mode"]>(now.mode === "off" ? "unprivileged" : now.mode);
  const [user, setUser] = useState(now.user ?? "");
  const [isProving, setProving] = useState(false);
  const name = user.trim();
  const isBad = mode === "unprivileged" && name !== "" && (name === "root" || !/^[a-z_][a-z0-9_-]{0,31}$/.test(name));
  const isReady = mode !== "unprivileged" || (name !== "" && !isBad);
  const modes = [
    { value: "off" as const, label: "Off" },
    { value: "unprivileged" as const, label: "A user" },
    ...(now.may_be_root ? [{ value: "root" as const, label: "root" }] : []),
  ];
  return (
    <Card
      title="Who a terminal opens as"
      foot={
        <div class="btns">
          <Button onClick={onDone}>Cancel</Button>
          <Button kind="primary" disabled={!isReady} onClick={() => setProving(true)}>
            Save
          </Button>
        </div>
      }
    >
      <div class="card-b stack">
        <Segmented label="Terminals open as" value={mode} options={modes} onValue={setMode} />
        {mode === "unprivileged" && (
          <Input
            label="User of this server"
            value={user}
            onValue={setUser}
            autocapitalize="off"
            spellcheck={false}
            hint="One that has a shell and is not root"
            error={isBad ? "This is not the name of a user other than root." : null}
          />
        )}
        <p class="c2">{WORDS[mode]}</p>
      </div>
      {isProving && (
        <ProofDialog
          title="Confirm that it is you"
          sub="Terminals that are open now are closed when this changes who they run as."
          action="Save"
          danger={mode === "root"}
          onProof={async (proof) => {
            const named = mode === "unprivileged" ? { user: name } : {};
            await api("PUT /api/host/terminal", { body: { mode, ...named, ...proof } });
            onDone();
          }}
          onClose={() => setProving(false)}
        />
      )}
    </Card>
  );
}

const WORDS = {
  off: "Nobody opens a terminal of this server from here or from a panel.",
  unprivileged: "Every admin can run what this user can. Where the user may use sudo, that is everything.",
  root: "Every admin can run anything on this server, with nothing between them and its data. People of your panel too, if you let terminals in for it.",
};
