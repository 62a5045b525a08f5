import { utils } from "ssh2";

/** A pair of keys for SSH. One of 256 that `ssh2` makes is broken, as it strips a zero that its public half begins with. */
export function makeSshKey(): { public: string; private: string } {
  for (;;) {
    const pair = utils.generateKeyPairSync("ed25519");
    if (!(utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}
