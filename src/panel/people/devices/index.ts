/** Devices: the browsers that people signed in with before, and the word that they get of a new one. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { holderOf, noteArrival } from "./arrive.ts";
import { deviceCookie, isMarked, readDevice } from "./device-cookie.ts";
import { deviceMeanings } from "./events.ts";
import { deviceLetters } from "./letters.ts";
import init from "./migrations/0001_devices.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { deletePlacesOf } from "./store.ts";

export const devicesFeature = defineFeature({ name: "devices", migrations: [init], events: deviceMeanings });

/** Where a sign-in comes from. */
export interface Visit {
  ip: string;
  request: Request;
  isHttps: boolean;
}

export interface Devices extends Part {
  /** The browser's id when the account signed in with it before; null when it did not. */
  findKnown(request: Request, accountId: string): string | null;
  /**
   * Tells the owner of an account of a sign-in on a device where there was none before; part of the transaction that begins the
   * session. Gives the cookie by which the browser is known again. `isWsl`: the workspace's own sign-in let them in.
   */
  arrive(tx: SystemTx, member: MembershipRow, visit: Visit, isWsl: boolean): Promise<string>;
}

export function createDevices(needs: Needs): Devices {
  needs.lists.letters.add(deviceLetters(needs));
  needs.lists.accountRemains.add({ clear: deletePlacesOf });
  needs.lists.ways.add((tx, accountId) => deletePlacesOf(tx, [accountId]));
  return {
    feature: devicesFeature,
    findKnown(request, accountId) {
      const device = readDevice(request);
      return device !== null && isMarked(needs, device, accountId) ? device.id : null;
    },
    async arrive(tx, member, visit, isWsl) {
      await noteArrival(needs, tx, member, visit, isWsl);
      return deviceCookie(needs, readDevice(visit.request), holderOf(member, isWsl), visit.isHttps);
    },
  };
}
