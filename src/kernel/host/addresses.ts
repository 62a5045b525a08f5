import { networkInterfaces } from "node:os";

/** An address of this machine, as this process sees its network. */
export interface OwnAddress {
  /** Name of the interface that has it. */
  interface: string;
  address: string;
  /** The address with the length of its prefix; the bare address where the system does not say. */
  cidr: string;
  family: 4 | 6;
  /** It leads nowhere but to this machine itself. */
  isInternal: boolean;
}

/** Networks that engines make for their containers. */
const CONTAINER_BRIDGE = /^(docker|br-|veth|virbr|cni|flannel|podman)/;
/** Holds on one link only, and means nothing without its zone. */
const LINK_LOCAL = "fe80:";

/** Every address, in the system's order. */
export function ownAddresses(): OwnAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, list = []]) =>
    list.map(({ address, cidr, family, internal }) => ({
      interface: name,
      address,
      cidr: cidr ?? address,
      family: family === "IPv4" ? 4 : 6,
      isInternal: internal,
    })),
  );
}

/** Without those that hold on one link only. */
export const plainAddresses = (): OwnAddress[] =>
  ownAddresses().filter(({ address }) => !address.startsWith(LINK_LOCAL));

/** By which other machines may reach this one: IPv4 first; bridges of container engines left out. */
export function reachableAddresses(): string[] {
  const found = plainAddresses().filter((one) => !one.isInternal && !CONTAINER_BRIDGE.test(one.interface));
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
}
