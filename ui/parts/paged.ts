import { useEffect, useRef, useState } from "preact/hooks";
import { onReconnect } from "../client/connection.ts";
import { asProblem, type Problem } from "../client/problem.ts";

/** One answer of a list that goes on. */
export interface Batch<T> {
  rows: T[];
  hasMore: boolean;
}

/** A list that is read from its beginning and grows by pages. */
export interface Paged<T> {
  /** Null before the first answer to this question. */
  rows: T[] | null;
  hasMore: boolean;
  problem: Problem | null;
  /** Loads the page behind the last row. */
  more: () => void;
  /** Starts over. */
  retry: () => void;
}

/** Reads a list page by page; another `question` begins another list. `load` gets the last row that is there, null at the start. */
export function usePaged<T>(question: string, load: (last: T | null) => Promise<Batch<T>>): Paged<T> {
  const [rows, setRows] = useState<T[] | null>(null);
  const [hasMore, setMore] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The answer to an earlier question must not be added to the list of a later one.
  const asked = useRef("");
  asked.current = question;
  // Nor may the answer to an earlier call replace that to a later one.
  const turn = useRef(0);

  const run = async (before: T[]): Promise<void> => {
    turn.current += 1;
    const mine = turn.current;
    const isLate = (): boolean => asked.current !== question || turn.current !== mine;
    try {
      const batch = await load(before.at(-1) ?? null);
      if (isLate()) return;
      setRows([...before, ...batch.rows]);
      setMore(batch.hasMore);
      setProblem(null);
    } catch (error) {
      if (!isLate()) setProblem(asProblem(error));
    }
  };
  useEffect(() => {
    setRows(null);
    setMore(false);
    setProblem(null);
    void run([]);
  }, [question]);
  const hasProblem = problem !== null;
  useEffect(() => (hasProblem ? onReconnect(() => void run([])) : undefined), [question, hasProblem]);
  return { rows, hasMore, problem, more: () => void run(rows ?? []), retry: () => void run([]) };
}
