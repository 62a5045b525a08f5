import { useEffect, useState } from "preact/hooks";
import { bytesText } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";

/** As much of a text is shown. */
const SHOWN_BYTES = 512 * 1024;

/** The beginning of a text, as it is written: nothing in it is taken for anything else. */
export function TextPreview({
  url,
  name,
  onProblem,
}: {
  url: string;
  name: string;
  onProblem: (words: string) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      const headers = { range: `bytes=0-${SHOWN_BYTES - 1}` };
      const answer = await fetch(url, { headers, signal: leaving.signal });
      // There is no range in an empty file.
      const isEmpty = answer.status === 416;
      if (!answer.ok && !isEmpty) throw new Error("The file could not be read. Load the folder again.");
      setText(isEmpty ? "" : await answer.text());
      const [, whole] = /\/(\d+)$/.exec(answer.headers.get("content-range") ?? "") ?? [];
      setCut(Number(whole) > SHOWN_BYTES);
    };
    read().catch((error: unknown) => !leaving.signal.aborted && onProblem(asProblem(error).message));
    return () => leaving.abort();
  }, []);
  if (text === null) return null;
  return (
    <div class="drivetext">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={`Text of ${name}`}>
        <pre>{text}</pre>
      </section>
      {text === "" && <p class="c3">This file is empty.</p>}
      {isCut && <p class="t13 c3">{`The first ${bytesText(SHOWN_BYTES)} are shown. Download it to read the rest.`}</p>}
    </div>
  );
}
