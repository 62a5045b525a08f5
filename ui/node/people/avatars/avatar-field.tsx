import { useEffect, useRef, useState } from "preact/hooks";
import type { Me } from "../../../../src/node/people/auth/contract.ts";
import { asProblem, Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Avatar } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { checkSession } from "../../client/session.ts";

const limitBytes = 2 * 1024 * 1024;
const types = ["image/png", "image/jpeg", "image/webp"];

/** The picture of an account: drop or choose one, see it before it is kept, or take it away. */
export function AvatarField({ who }: { who: Me }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    if (file === null) return setPreview(null);
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  const choose = (next: File | undefined): void => {
    setOver(false);
    if (next === undefined) return;
    const why = !types.includes(next.type)
      ? "This is not a PNG, JPEG or WebP picture."
      : next.size > limitBytes
        ? "This picture has more than 2 MB. Make it smaller first."
        : null;
    setProblem(why === null ? null : new Problem(400, "avatar", why, {}, null));
    setFile(why === null ? next : null);
  };
  const run = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      await checkSession();
      setFile(null);
      toast(done);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  const save = async (picture: File): Promise<void> => {
    const body = new FormData();
    body.append("file", picture);
    await api("PUT /api/profile/avatar", { body });
  };
  return (
    <section
      class={`avatarfield ${over ? "is-over" : ""}`}
      aria-label="Place to drop a picture"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        choose(event.dataTransfer?.files[0]);
      }}
    >
      <Avatar name={who.username} url={preview ?? who.avatar_url} size="lg" />
      <div class="stack tight">
        <p class="c2">
          {file === null ? "Drop a picture here, or choose one." : `${file.name}: this is how it will look.`}
        </p>
        <p class="t12 c3">PNG, JPEG or WebP up to 2 MB. Its middle is kept; place and camera data are removed.</p>
        {problem !== null && <Refusal problem={problem} />}
        <div class="btns">
          {file === null ? (
            <>
              <Button icon="upload" onClick={() => input.current?.click()}>
                Choose a picture
              </Button>
              {who.avatar_url !== null && (
                <Button
                  kind="ghost"
                  busy={busy}
                  onClick={() => void run(() => api("DELETE /api/profile/avatar"), "Picture removed.")}
                >
                  Remove
                </Button>
              )}
            </>
          ) : (
            <>
              <Button kind="primary" busy={busy} onClick={() => void run(() => save(file), "Picture saved.")}>
                Use this picture
              </Button>
              <Button kind="ghost" onClick={() => setFile(null)}>
                Cancel
              </Button>
            </>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={types.join(",")}
        aria-label="Picture file"
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
    </section>
  );
}
