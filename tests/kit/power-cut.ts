import type { Host } from "../../src/kernel/service/host.ts";

/** What a change throws that the power did not last for. */
export class PowerCut extends Error {}

/** The host with its n-th change going wrong: from there on nothing works (`dies`), or everything after it does again. */
export function failAt(host: Host, n: number, dies: boolean): Host {
  let left = n;
  const guard =
    <Args extends unknown[], Result>(act: (...args: Args) => Result) =>
    (...args: Args): Result => {
      left -= 1;
      if (left === -1 || (dies && left < 0)) throw new PowerCut();
      return act(...args);
    };
  return {
    ...host,
    write: guard(host.write),
    copy: guard(host.copy),
    copyPlain: guard(host.copyPlain),
    create: guard(host.create),
    makeDirectory: guard(host.makeDirectory),
    link: guard(host.link),
    move: guard(host.move),
    remove: guard(host.remove),
    removeTree: guard(host.removeTree),
    run: guard(host.run),
    get: guard(host.get),
  };
}
