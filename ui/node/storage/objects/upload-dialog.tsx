import { useEffect, useRef, useState } from "preact/hooks";
import { bytesText } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { sendObject } from "./send-object.ts";

/** Sends files one after the other with their progress. What has the name of an object takes its place. */
export function UploadDialog({
  bucket,
  prefix,
  files,
  onDone,
  onClose,
}: {
  bucket: string;
  prefix: string;
  files: readonly File[];
  onDone: () => void;
  onClose: () => void;
}) {
  const [at, setAt] = useState(0);
  const [percent, setPercent] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const leave = useRef(new AbortController());
  const send = async (from: number): Promise<void> => {
    setProblem(null);
    try {
      for (const [index, file] of files.entries()) {
        if (index < from) continue;
        setAt(index);
        setPercent(0);
        await sendObject(bucket, `${prefix}${file.name}`, file, leave.current.signal, setPercent);
      }
      onDone();
    } catch (error) {
      if (!leave.current.signal.aborted) setProblem(asProblem(error));
    }
  };
  useEffect(() => {
    void send(0);
    return () => leave.current.abort();
  }, []);
  const file = files[at];
  if (file === undefined) return null;
  const place = files.length === 1 ? "" : ` (${at + 1} of ${files.length})`;
  return (
    <Dialog
      title={problem === null ? `Sending${place}` : "The file was not sent"}
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            {problem === null ? "Cancel" : "Close"}
          </Button>
          {problem !== null && (
            <Button kind="primary" onClick={() => void send(at)}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <div class="stack">
        <p class="objectsent">{`${file.name}, ${bytesText(file.size)}`}</p>
        {problem === null && <Progress value={percent} label={`Sending ${file.name}`} />}
        {problem !== null && <Refusal problem={problem} wait={0} />}
      </div>
    </Dialog>
  );
}
