import { lowerSecurityCards, securityCards } from "../../security-cards.ts";
import { FactorCards } from "./factor-cards.tsx";

/** All that lets you in besides the passphrase; the same in all your workspaces. */
export function Security() {
  return (
    <div class="page">
      <header class="head">
        <h1>Security</h1>
        <span class="t13 c3">your account, in every workspace</span>
      </header>
      <div class="grid12">
        {securityCards.map((SecurityCard, index) => (
          <SecurityCard key={index} />
        ))}
        <FactorCards />
        {lowerSecurityCards.map((SecurityCard, index) => (
          <SecurityCard key={index} />
        ))}
      </div>
    </div>
  );
}
