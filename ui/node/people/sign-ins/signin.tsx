import { useEffect, useState } from "preact/hooks";
import { lockInfo } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { ApproveWay } from "./approve-way.tsx";
import { CodeForm } from "./code-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { QrWay } from "./qr-way.tsx";

type Step = { at: "ways" } | { at: "code"; temp: string } | { at: "approve"; name: string } | { at: "qr" };

/** Every way in on one page: password, passkey, approval, a code to scan; then the second factor where one is set up. */
export function SignIn() {
  const [step, go] = useState<Step>({ at: "ways" });
  const [name, setName] = useState("");
  const host = lockInfo.value?.hostname ?? "this server";
  const wide = useWide();
  const back = (): void => go({ at: "ways" });
  return (
    <Gate>
      <main class="signin" id="main">
        {step.at === "ways" && (
          <>
            <Hello>Sign in to {host}</Hello>
            <div class="ways">
              <PasswordForm
                name={name}
                onName={setName}
                onSecondFactor={(temp) => go({ at: "code", temp })}
                onApprove={() => go({ at: "approve", name })}
                onScan={() => go({ at: "qr" })}
              />
              {wide && <QrWay />}
            </div>
          </>
        )}
        {step.at === "code" && (
          <>
            <Hello>One more step</Hello>
            <div class="ways one">
              <CodeForm temp={step.temp} onBack={back} />
            </div>
          </>
        )}
        {step.at === "approve" && <ApproveWay name={step.name} onBack={back} />}
        {step.at === "qr" && (
          <div class="approve">
            <QrWay onBack={back} />
          </div>
        )}
      </main>
    </Gate>
  );
}

/** A phone that shows this page cannot scan itself: there the code is behind a button. */
function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia("(min-width: 641px)").matches);
  useEffect(() => {
    const list = matchMedia("(min-width: 641px)");
    const follow = (): void => setWide(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, []);
  return wide;
}
