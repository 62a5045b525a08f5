import { useState } from "preact/hooks";
import type { ReleaseNote } from "../../../../src/node/platform/release-notes/contract.ts";
import { day } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { Tour } from "./tour.tsx";

/** What the releases brought: a tour of the last one, and the notes of all. */
export function News() {
  const notes = useResource("GET /api/release-notes");
  const tour = useResource("GET /api/feature-tour");
  const isLinked = useResource("GET /api/auth/cp-status").data.value?.connected === true;
  return (
    <div class="page">
      <Head canFetch={isAdmin() && isLinked} />
      <Loaded of={tour} what="The tour">
        {(data) => (data.slides.length > 0 ? <Tour tour={data} /> : null)}
      </Loaded>
      <Loaded of={notes} what="Release notes">
        {(list) =>
          list.length === 0 ? <NoNotes isLinked={isLinked} /> : list.map((note) => <Note key={note.id} note={note} />)
        }
      </Loaded>
    </div>
  );
}

/** The name of the screen, and the way to ask the panel now instead of at the next full hour. */
function Head({ canFetch }: { canFetch: boolean }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const fetchNotes = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const list = await api("POST /api/release-notes/sync");
      resource("GET /api/release-notes").set(() => list);
      toast("The notes are those of the panel now.");
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <>
      <header class="head">
        <h1>What is new</h1>
        {canFetch && (
          <Button class="push" icon="sync" busy={busy} onClick={() => void fetchNotes()}>
            Fetch notes
          </Button>
        )}
      </header>
      {problem !== null && <Refusal problem={problem} />}
    </>
  );
}

function Note({ note }: { note: ReleaseNote }) {
  return (
    <Card title={`${note.version}: ${note.title}`} aside={day(note.published_at)} class="newsnote">
      <div class="card-b stack">
        <p>{note.summary}</p>
        {note.items.length > 0 && (
          <ul>
            {note.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function NoNotes({ isLinked }: { isLinked: boolean }) {
  return (
    <Card title="Release notes">
      <EmptyState
        title="No notes yet"
        action={isAdmin() && !isLinked ? <LinkButton href="/panel">Connect to a panel</LinkButton> : undefined}
      >
        {isLinked
          ? "This server asks its panel for them every hour."
          : "They come from the panel that a server belongs to. The tour above comes with the release itself."}
      </EmptyState>
    </Card>
  );
}
