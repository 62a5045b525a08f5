import type { Page } from "playwright-core";

/** A passkey device inside the browser. */
export interface VirtualAuthenticator {
  /** Whether somebody answers for the holder at once; off, requests wait. */
  answer(isAnswering: boolean): Promise<void>;
}

/** Gives the page's browser a built-in passkey device whose holder is always the right one. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const debug = await page.context().newCDPSession(page);
  await debug.send("WebAuthn.enable");
  const { authenticatorId } = await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async answer(enabled) {
      await debug.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}
