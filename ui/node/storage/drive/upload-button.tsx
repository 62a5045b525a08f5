import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";

/** Lets people choose files, or a folder with all that lies in it. */
export function UploadButton({ isFolder = false, onFiles }: { isFolder?: boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.webkitdirectory = isFolder;
  }, [isFolder]);
  return (
    <>
      <Button size="sm" icon={isFolder ? "folder" : "upload"} onClick={() => input.current?.click()}>
        {isFolder ? "Upload folder" : "Upload"}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={isFolder ? "Folder to upload" : "Files to upload"}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file may be chosen again.
          currentTarget.value = "";
          onFiles(files);
        }}
      />
    </>
  );
}
