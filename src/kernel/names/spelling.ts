import { isIP } from "node:net";
import { LookupError } from "./lookup-error.ts";

const MAX_LENGTH = 253;
const HOST_NAME = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?$/;
/** The last part of an address in any of its spellings: 127.1, 0x7f000001. No domain ends so. */
const NUMBER_AT_END = /(^|\.)(\d+|0x[0-9a-f]*)\.?$/;

/** An address as it is written plainly, or a name that can be asked for, in small letters. Throws LookupError for what is neither. */
export function readHost(host: string): { address: string } | { name: string } {
  if (isIP(host) !== 0) return { address: host };
  const name = host.toLowerCase();
  const address = NUMBER_AT_END.test(name) ? (URL.parse(`http://${name}/`)?.hostname ?? "") : "";
  if (isIP(address) === 4) return { address };
  const isName = name.length <= MAX_LENGTH && HOST_NAME.test(name) && !NUMBER_AT_END.test(name);
  if (!isName) throw new LookupError("ENOTFOUND");
  return { name };
}
