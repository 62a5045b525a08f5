import { Button } from "../../../kit/button.tsx";
import { NewPassword } from "../../../parts/new-password.tsx";
import { api } from "../../client/api.ts";
import { checkSession, signOut, user } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";

/** The first sign-in with a temporary passphrase: nothing else opens before it is replaced. */
export function FirstPassword() {
  const change = async (next: string, now: string): Promise<void> => {
    await api("POST /api/auth/change-password", { body: { current_password: now, new_password: next } });
    await checkSession();
  };
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>Choose your own passphrase</Hello>
        <p class="c2">Yours was made by an administrator and works only until you replace it.</p>
        <div class="ways one">
          <NewPassword
            before="Temporary passphrase"
            action="Save and open"
            username={user.value?.username ?? ""}
            onSubmit={change}
          />
        </div>
        <Button kind="ghost" size="sm" onClick={() => void signOut()}>
          Sign out
        </Button>
      </main>
    </Gate>
  );
}
