import type { NodeFacts } from "../../src/panel/agents/live/index.ts";

/** A node as the panel knows it after its registration. */
export const nodeFacts = (no: number, more: Partial<NodeFacts> = {}): NodeFacts => ({
  no,
  id: `node-${no}`,
  tenant_id: "t1",
  hostname: `host-${no}`,
  version: "1.0.0",
  region: null,
  region_source: null,
  zone: null,
  cloud_provider: null,
  ip_address: null,
  public_ip: null,
  ip_addresses: [],
  tags: [],
  client_id: null,
  client_name: null,
  group_id: null,
  registered_at: 0,
  first_seen_at: null,
  certificate_end: 0,
  marked_offline: false,
  inventory: null,
  apps: [],
  failed_apps: 0,
  ...more,
});
