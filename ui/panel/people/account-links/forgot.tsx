import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LinkButton } from "../../../kit/button.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { GateForm } from "../../parts/gate-form.tsx";
import { EmailField } from "../accounts/email-field.tsx";

const title = "Forgot your passphrase?";

/** The way back in for whoever forgot their passphrase: by mail, or by whoever runs the panel. */
export function Forgot() {
  const recovery = useResource("GET /api/auth/recovery");
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <Words hello="Look into your mail">
        <p class="c2 mid">
          If <b class="cut">{sentTo}</b> has an account here, a link is on its way there. It is good once, for an hour.
        </p>
        <p class="t13 c2 mid">
          Nothing after a few minutes? Look among what was taken for spam, or ask whoever runs this panel.
        </p>
      </Words>
    );
  if (recovery.data.value?.by_mail === true) return <Ask onSent={setSentTo} />;
  return (
    <Words hello={title}>
      <Loaded of={recovery} what="The ways back in">
        {() => (
          <>
            <p class="c2 mid">This panel sends no mail. Ask whoever runs it for a link; this prints one:</p>
            <CodeLine text="orrery-panel reset-password --email YOUR-ADDRESS" />
          </>
        )}
      </Loaded>
    </Words>
  );
}

function Ask({ onSent }: { onSent: (email: string) => void }) {
  const [email, setEmail] = useState("");
  const attempt = useAttempt();
  return (
    <GateForm
      title={title}
      hello="Choose a new passphrase"
      action="Send me a link"
      ready={email !== ""}
      attempt={attempt}
      fields={["email"]}
      onSubmit={async () => {
        await api("POST /api/auth/forgot-password", { body: { email }, anonymous: true });
        onSent(email);
      }}
      other={{ question: "You know it after all?", label: "Sign in", href: "/" }}
    >
      <EmailField {...attempt.field("email", email, setEmail)} autofocus />
    </GateForm>
  );
}

function Words({ hello, children }: { hello: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} Orrery`;
  }, []);
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>{hello}</Hello>
        <div class="ways one">
          <div class="words" role="status">
            {children}
            <LinkButton href="/">Go to sign-in</LinkButton>
          </div>
        </div>
      </main>
    </Gate>
  );
}
