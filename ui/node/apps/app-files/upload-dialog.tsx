import { useEffect, useRef, useState } from "preact/hooks";
import { bytesText } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { type Destination, sendFile } from "./send-file.ts";

/** Sends a file with its progress; asks where one of that name is there already. */
export function UploadDialog({
  to,
  file,
  onDone,
  onClose,
}: {
  to: Destination;
  file: File;
  onDone: () => void;
  onClose: () => void;
}) {
  const [percent, setPercent] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const leave = useRef(new AbortController());
  const send = async (overwrite: boolean): Promise<void> => {
    setProblem(null);
    setPercent(0);
    try {
      await sendFile(to, file, overwrite, leave.current.signal, setPercent);
      onDone();
    } catch (error) {
      if (!leave.current.signal.aborted) setProblem(asProblem(error));
    }
  };
  useEffect(() => {
    void send(false);
    return () => leave.current.abort();
  }, []);
  const isThere = problem?.code === "app_file_exists";
  return (
    <Dialog
      title={problem === null ? "Sending the file" : isThere ? "Replace the file?" : "The file was not sent"}
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            {problem === null || isThere ? "Cancel" : "Close"}
          </Button>
          {problem !== null && (
            <Button kind={isThere ? "confirm" : "primary"} onClick={() => void send(isThere)}>
              {isThere ? "Replace it" : "Try again"}
            </Button>
          )}
        </>
      }
    >
      <div class="stack">
        <p class="filesent">{`${file.name}, ${bytesText(file.size)}`}</p>
        {problem === null && <Progress value={percent} label={`Sending ${file.name}`} />}
        {isThere && <p class="c2">There is a file of that name. Replacing it cannot be taken back.</p>}
        {problem !== null && !isThere && <Refusal problem={problem} wait={0} />}
      </div>
    </Dialog>
  );
}
