import type { LookupFunction } from "node:net";
import { type LookUp, lookUp } from "./index.ts";

const familyOf = (address: string): 4 | 6 => (address.includes(":") ? 6 : 4);

/** What `connect` takes to look a name up: left to itself, it waits in a thread of the runtime that files are read by. */
export const lookupForConnect =
  (ask: LookUp = lookUp): LookupFunction =>
  (host, { all }, done) => {
    ask(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: familyOf(address) }));
        const [first = { address: "", family: 4 }] = found;
        if (all) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ""),
    );
  };
