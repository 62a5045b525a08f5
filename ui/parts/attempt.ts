import { useState } from "preact/hooks";
import { afterEdit, asProblem, type Problem } from "../client/problem.ts";
import { useWait } from "./refusal.tsx";

/** What a field needs from its form. */
export interface FieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | null;
}

/** The state of sending a form. */
export interface Attempt {
  busy: boolean;
  problem: Problem | null;
  /** Seconds until the server takes another try; 0 when it takes one now. */
  wait: number;
  /** Sends; a refusal becomes `problem`. Resolves with true when the server accepted it. */
  send: (work: () => Promise<void>) => Promise<boolean>;
  /** Wraps the setter of a field, so that its first edit removes a refusal of that field. */
  edits: <Value>(field: string, set: (value: Value) => void) => (value: Value) => void;
  /** What a field of text takes: its value, the way to change it, and why it was refused. */
  field: (name: string, value: string, set: (value: string) => void) => FieldProps;
  /** Why this field was refused; null when it was not. */
  errorOf: (field: string) => string | null;
  /** The problem when it is of none of these fields. */
  besides: (...fields: string[]) => Problem | null;
}

/** The state that all forms share: sending, the result, and a refusal, which goes away as somebody edits the refused field. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const edits: Attempt["edits"] = (field, set) => (value) => {
    set(value);
    setProblem((now) => afterEdit(now, field));
  };
  const errorOf = (field: string): string | null =>
    problem?.field === field ? (problem.reason ?? problem.message) : null;
  return {
    busy,
    problem,
    wait,
    async send(work) {
      setBusy(true);
      setProblem(null);
      try {
        await work();
        return true;
      } catch (error) {
        setProblem(asProblem(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
    edits,
    field: (name, value, set) => ({ value, onValue: edits(name, set), error: errorOf(name) }),
    errorOf,
    besides: (...fields) => (problem !== null && !fields.includes(problem.field ?? "") ? problem : null),
  };
}
