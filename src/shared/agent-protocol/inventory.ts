/** What a node tells of its host in `inventory`; null where it does not know. The panel takes whatever a node tells. */
export interface NodeInventory {
  /** Name of the distribution. */
  os: string;
  kernel: string;
  architecture: string;
  cpu_model: string;
  cpu_cores: number;
  cpu_threads: number;
  memory_bytes: number | null;
  /** All filesystems together. */
  disk_bytes: number | null;
  /** ISO, to the minute. */
  boot_time: string;
  /** The one of the interface that leads out. */
  ip_address: string | null;
  /** One that is reachable from everywhere. */
  public_ip: string | null;
  ip_addresses: string[];
  /** As the cloud names them. */
  region: string | null;
  zone: string | null;
  cloud_provider: string | null;
}
