import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { securityCards } from "../../security-cards.ts";

/** Everything that lets you in, and everywhere you are in. */
export function Security() {
  return (
    <div class="page">
      <header class="head">
        <h1>Security</h1>
      </header>
      <SettingsTabs />
      <div class="grid12">
        {securityCards.map((View, index) => (
          <View key={index} />
        ))}
      </div>
    </div>
  );
}
