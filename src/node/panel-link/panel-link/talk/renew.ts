import { createPrivateKey, X509Certificate } from "node:crypto";
import { AgentCallError, type AgentClient, judgeFailure } from "../../../../shared/agent-client/index.ts";
import { receiveCredential, renewalRetry, renewalTime } from "../../../../shared/agent-protocol/index.ts";
import { certificateEnd, makeKey } from "../credentials.ts";
import type { Needs } from "../needs.ts";
import { type HeldLink, isBundle } from "./held-link.ts";

/** Renews the certificate when its time has come. */
export interface Renewer {
  /**
   * Does so if it is due at `panelNow` (milliseconds by the panel's clock). A failure that another try may mend is only
   * logged; throws `AgentCallError` for one that ends the link, and `LinkChanged`.
   */
  renewIfDue(panelNow: number): Promise<void>;
}

export function createRenewer(
  { clock, log, random }: Pick<Needs, "clock" | "log" | "random">,
  link: HeldLink,
  client: AgentClient,
): Renewer {
  let failures = 0;
  let retryAt = Number.NEGATIVE_INFINITY;

  async function renew(): Promise<void> {
    const { key, csr } = makeKey(link.row().instance_id);
    const reply = await client.renew({ csr });
    assertFits(reply.signed_certificate, key);
    const fresh = { certificate: reply.signed_certificate, key };
    const end = certificateEnd(reply.signed_certificate);
    link.hold(receiveCredential(link.credentials(), fresh), {
      renew_at: renewalTime(end, random),
      ...(isBundle(reply.ca_certificate) ? { ca_bundle: reply.ca_certificate } : {}),
    });
    client.use(link.trust());
    log.info("certificate for the panel renewed", { ends_at: end });
  }

  return {
    async renewIfDue(panelNow) {
      // One that waits for its first use comes first: two must never wait.
      const isDue = panelNow >= link.row().renew_at && link.credentials().pending === null;
      if (!isDue || clock.monotonic() < retryAt) return;
      try {
        await renew();
        failures = 0;
      } catch (error) {
        if (!(error instanceof AgentCallError)) throw error;
        if (judgeFailure(error, link.standpoint(panelNow)) !== "retry") throw error;
        failures += 1;
        retryAt = clock.monotonic() + renewalRetry(failures, random);
        log.warn("the certificate for the panel could not be renewed", { error, failures });
      }
    },
  };
}

function assertFits(certificate: string, key: string): void {
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return;
  } catch {
    throw new AgentCallError("garbled", "The panel answered a renewal with something that is no certificate.");
  }
  throw new AgentCallError("garbled", "The panel answered a renewal with the certificate of another key.");
}
