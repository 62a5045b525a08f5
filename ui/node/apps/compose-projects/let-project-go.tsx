import { asProblem } from "../../../client/problem.ts";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

/** Asks before a project is not looked after any more; nothing of it stops. */
export function LetProjectGo({ name, onClose }: { name: string; onClose: () => void }) {
  const letGo = async (): Promise<void> => {
    await api("POST /api/containers/compose/{name}/eject", { path: { name } }).catch((error: unknown) => {
      throw new Error(asProblem(error).message);
    });
    onClose();
    toast(`${name} runs on by itself`, { state: "ok" });
    await resource("GET /api/containers/compose").refresh();
  };
  return (
    <ConfirmDanger title={`Let go of ${name}?`} typed={null} action="Let go" onConfirm={letGo} onClose={onClose}>
      <p>
        Its containers run on, and its files stay where docker compose finds them. Orrery forgets the project; you can
        take it over again at any time.
      </p>
    </ConfirmDanger>
  );
}
