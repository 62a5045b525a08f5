import { SettingsTabs } from "../../parts/settings-tabs.tsx";
import { AutoLockCard } from "./auto-lock-card.tsx";
import { DevicesCard } from "./devices-card.tsx";
import { KeysCard } from "./keys-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TotpCard } from "./totp-card.tsx";

/** Everything that lets you in, and everywhere you are in. */
export function Security() {
  return (
    <div class="page">
      <header class="head">
        <h1>Security</h1>
      </header>
      <SettingsTabs current="security" />
      <div class="grid12">
        <PasskeysCard />
        <PasswordCard />
        <TotpCard />
        <AutoLockCard />
        <SessionsCard />
        <KeysCard />
        <DevicesCard />
      </div>
    </div>
  );
}
