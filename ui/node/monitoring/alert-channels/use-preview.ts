import { useEffect, useState } from "preact/hooks";
import type { Preview, Template } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";

/** Milliseconds after the last key, so that not every letter makes a call. */
const REST_MS = 250;

export type Draft = Pick<Template, "kind" | "channel_type" | "subject" | "body">;

/**
 * What the server makes of a draft, with the facts of an event or, for an empty id, of a made-up one. The last good preview
 * stays while a draft is faulty.
 */
export function usePreview(draft: Draft, eventId: string): { preview: Preview | null; problem: Problem | null } {
  const { kind, channel_type, subject, body } = draft;
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The preview shown so far belongs to another kind or channel.
  useEffect(() => setPreview(null), [kind, channel_type]);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api("POST /api/alerting/templates/preview", {
        body: { kind, channel_type, subject, body, ...(eventId === "" ? {} : { event_id: eventId }) },
        signal: abort.signal,
      }).then(
        (made) => {
          setPreview(made);
          setProblem(null);
        },
        (error: unknown) => abort.signal.aborted || setProblem(asProblem(error)),
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [kind, channel_type, subject, body, eventId]);
  return { preview, problem };
}
