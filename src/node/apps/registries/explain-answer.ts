import type { RegistryTest } from "./contract.ts";

type Words = Pick<RegistryTest, "outcome" | "words" | "next_step" | "said">;

interface Case {
  outcome: RegistryTest["outcome"];
  fits: RegExp;
  words(address: string): string;
  next_step(address: string): string;
}

const MOST_SAID = 500;
/** What another server answered that the registry sent Docker to: it may be one that only this server reaches. */
const REPLY = /(response body: ).*/s;

const REFUSED: Case = {
  outcome: "refused",
  fits: /unauthorized|incorrect username or password|authentication required|no basic auth|denied|forbidden|status:? 40[13]/i,
  words: (address) => `${address} refuses the login: the user name, or the password or token, is wrong.`,
  next_step: () =>
    "Remove the registry and add it with another login. Many registries want a token in place of the password.",
};

/** What Docker's texts mean, the first that fits; they have no codes. */
const CASES: readonly Case[] = [
  {
    outcome: "failed",
    fits: /which is not called/,
    words: (address) => `${address} was not asked: it leads to a link-local or metadata address now.`,
    next_step: () => "Look where its name leads, or remove the registry.",
  },
  {
    outcome: "failed",
    fits: /toomanyrequests|too many requests|status:? 429/i,
    words: (address) => `${address} has had too many questions from this server.`,
    next_step: () => "Wait an hour, then test again.",
  },
  {
    outcome: "tls",
    fits: /server gave HTTP response to HTTPS client/i,
    words: (address) => `${address} answers without encryption, and Docker sends no login that way.`,
    next_step: (address) =>
      `Give the registry a certificate, or name ${address} under insecure-registries in /etc/docker/daemon.json if everybody on the way may read the login.`,
  },
  {
    outcome: "tls",
    fits: /certificate has expired|is not yet valid/i,
    words: (address) => `The certificate of ${address} has run out, or the clock of this server is wrong.`,
    next_step: () => "Renew the certificate of the registry, and look at the time of this server.",
  },
  {
    outcome: "tls",
    fits: /certificate is valid for|doesn't contain any IP SANs|not valid for any names/i,
    words: (address) => `The certificate that ${address} shows is for another name.`,
    next_step: () => "Add the registry under the name that its certificate has.",
  },
  {
    outcome: "tls",
    fits: /x509|certificate|tls:/i,
    words: (address) => `Docker does not trust the certificate of ${address}.`,
    next_step: (address) =>
      `Put the certificate of its authority into /etc/docker/certs.d/${address}/ca.crt, then test again.`,
  },
  {
    outcome: "unreachable",
    fits: /no such host|server misbehaving|name resolution/i,
    words: (address) => `The name of ${address} is not found from this server.`,
    next_step: () => "Look for a mistake in the address, and at the name servers of this server.",
  },
  {
    outcome: "unreachable",
    fits: /connection refused/i,
    words: (address) => `Nothing listens at ${address}.`,
    next_step: () => "Look whether the registry runs, and whether the port is right.",
  },
  {
    outcome: "unreachable",
    fits: /timeout|timed out|deadline exceeded|canceled|aborted|no route to host|network is unreachable|reset by peer|EOF/i,
    words: (address) => `${address} cannot be reached: no answer came in time.`,
    next_step: () => "Look whether the registry runs, and whether a firewall stands between it and this server.",
  },
  REFUSED,
  {
    outcome: "no_registry",
    fits: /not found|status:? 40[45]|invalid character|malformed/i,
    words: (address) => `Something answers at ${address}, but it is no registry.`,
    next_step: () => "Look whether the port is right: a registry often has one of its own, such as 5000.",
  },
];

/** What a registry's refusal, as Docker tells it, means to people. */
export function explainAnswer(address: string, status: number, message: string): Words {
  const said = message.replace(REPLY, "$1…").trim().slice(0, MOST_SAID);
  const known = CASES.find(({ fits }) => fits.test(message));
  const fitting = known ?? (status === 401 || status === 403 ? REFUSED : undefined);
  if (fitting)
    return { outcome: fitting.outcome, words: fitting.words(address), next_step: fitting.next_step(address), said };
  return {
    outcome: "failed",
    words: `Docker could not log in at ${address}.`,
    next_step: "Test again later. The registry's own log may say more.",
    said,
  };
}
