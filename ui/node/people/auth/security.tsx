import { SettingsTabs } from "../../parts/settings-tabs.tsx";
import { KeysCard } from "../keys/keys-card.tsx";
import { AutoLockCard } from "../lock/auto-lock-card.tsx";
import { DevicesCard } from "../paired-devices/devices-card.tsx";
import { PasskeysCard } from "../passkeys/passkeys-card.tsx";
import { SessionsCard } from "../sessions/sessions-card.tsx";
import { TotpCard } from "../totp/totp-card.tsx";
import { PasswordCard } from "./password-card.tsx";

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
