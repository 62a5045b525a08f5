import { parseCidr } from "./address.ts";

/** Networks of one's own: where servers that an admin names are usual, and places that others name are not. Link-local is none. */
export const OWN_NETWORKS = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
].map(parseCidr);
