import { CodeForm as AnyCodeForm } from "../../../parts/code-form.tsx";
import { api } from "../../client/api.ts";
import { completeSignIn } from "../../client/session.ts";

interface Props {
  temp: string;
  onBack: () => void;
  /** Called once signed in. */
  onDone?: () => void;
}

/** The second factor: a code from the app, or one of the recovery codes. */
export function CodeForm({ temp, onBack, onDone }: Props) {
  const finish = async (code: string): Promise<void> => {
    const body = { temp_token: temp, code };
    const reply = await api("POST /api/auth/totp/verify", { body, anonymous: true });
    await completeSignIn("user" in reply ? reply.user : undefined);
    onDone?.();
  };
  return <AnyCodeForm finish={finish} gone="temp_token_refused" app recovery onBack={onBack} />;
}
