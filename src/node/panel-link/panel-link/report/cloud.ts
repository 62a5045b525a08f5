import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import { readFirmware } from "../../../machine/index.ts";

/** Where a machine stands, as far as it says so itself: nobody is asked over the network. */
export interface CloudPlace {
  cloud_provider: string | null;
  region: string | null;
  zone: string | null;
}

const NOWHERE: CloudPlace = { cloud_provider: null, region: null, zone: null };

/** What makers of virtual machines write where others write the maker of the board. */
const VENDORS: readonly (readonly [pattern: RegExp, provider: string])[] = [
  [/amazon ec2/i, "aws"],
  [/^google/i, "gcp"],
  [/hetzner/i, "hetzner"],
  [/digitalocean/i, "digitalocean"],
  [/vultr/i, "vultr"],
  [/linode|akamai/i, "linode"],
  [/scaleway/i, "scaleway"],
  [/upcloud/i, "upcloud"],
  [/ovh/i, "ovh"],
  [/oraclecloud/i, "oracle"],
  [/alibaba/i, "alibaba"],
];

/** What cloud-init found out when the machine first started. */
const INSTANCE_DATA = "run/cloud-init/instance-data.json";
/** Machines at home have it too, with nothing behind it. */
const NO_CLOUD = new Set(["none", "nocloud", "unknown", "configdrive", ""]);
const MAX_TEXT = 64;

/** Region, zone and provider below `root`. */
export function readCloudPlace(root: string): CloudPlace {
  const vendor = ["sys_vendor", "bios_vendor", "chassis_asset_tag"].map((file) => readFirmware(root, file)).join("\n");
  const byVendor = VENDORS.find(([pattern]) => vendor.split("\n").some((line) => pattern.test(line)))?.[1] ?? null;
  const told = parseInstanceData(read(join(root, INSTANCE_DATA)));
  return { ...told, cloud_provider: told.cloud_provider ?? byVendor };
}

/** The standard part of cloud-init's `instance-data.json`. */
export function parseInstanceData(text: string): CloudPlace {
  const data = parseJson(text);
  const facts = isRecord(data) ? data["v1"] : null;
  if (!isRecord(facts)) return NOWHERE;
  const pick = (key: string): string | null => {
    const value = facts[key];
    return typeof value === "string" && value !== "" ? value.slice(0, MAX_TEXT) : null;
  };
  const provider = pick("cloud_name")?.toLowerCase() ?? "";
  if (NO_CLOUD.has(provider)) return NOWHERE;
  return { cloud_provider: provider, region: pick("region"), zone: pick("availability_zone") };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
