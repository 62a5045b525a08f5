import { effect } from "@preact/signals";
import { type Look, look, setLook } from "../../../client/preferences.ts";
import { api } from "../../client/api.ts";

const waitMs = 800;

/**
 * Keeps the look with the account, so that it is the same on every device: the server's wins at sign-in, later changes are sent after
 * 800 ms of rest. Returns the way to stop. A server that does not answer changes nothing here.
 */
export function startAccountLook(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sent = "";
  let isKnown = false;
  let isOver = false;

  const load = async (): Promise<void> => {
    const before = look.peek();
    const saved = await api("GET /api/profile/preferences").catch(() => null);
    if (saved === null || isOver) return;
    isKnown = true;
    // What somebody chose while the answer was on its way is newer than the answer.
    if (look.peek() !== before) return save();
    setLook({
      theme: saved.theme,
      accent: saved.accent,
      motion: saved.motion,
      sounds: saved.sounds,
      ...(saved.custom_accent === null ? {} : { custom: saved.custom_accent }),
    });
    sent = JSON.stringify(wire(look.peek()));
  };
  const save = (): void => {
    const body = wire(look.peek());
    const text = JSON.stringify(body);
    if (text === sent) return;
    sent = text;
    void api("PUT /api/profile/preferences", { body }).catch(() => null);
  };
  void load();
  const stop = effect(() => {
    if (look.value === null || !isKnown) return;
    clearTimeout(timer);
    timer = setTimeout(save, waitMs);
  });
  return () => {
    isOver = true;
    stop();
    clearTimeout(timer);
  };
}

function wire({ theme, accent, motion, sounds, custom }: Look) {
  return { theme, accent, motion, sounds, custom_accent: accent === "custom" ? custom : null };
}
