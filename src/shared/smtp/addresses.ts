import { lookUp } from "../../kernel/names/index.ts";
import { parseAddress, parseCidr } from "../../kernel/outgoing/address.ts";
import { describeBlock } from "../../kernel/outgoing/ranges.ts";

const ANYWHERE = [parseCidr("0.0.0.0/0"), parseCidr("::/0")];
const MAX_TRIES = 3;

/**
 * The addresses of a mail server to try in turn. Mail servers on the own network and on this machine are ordinary, and only
 * an admin names them; cloud metadata and link-local addresses are refused all the same. Throws an Error for people.
 */
export async function findSmtpAddresses(host: string): Promise<string[]> {
  const name = host.replace(/^\[|\]$/g, "");
  const answers = parseAddress(name) ? [name] : await lookUp(name);
  for (const text of answers) {
    const address = parseAddress(text);
    const block = address && describeBlock(address, ANYWHERE);
    if (!address || block) throw new Error(`${host} is ${block?.what ?? "not an address"}, which is not called.`);
  }
  return answers.slice(0, MAX_TRIES);
}
