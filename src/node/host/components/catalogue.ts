import { hasProgram } from "../../../kernel/host/run-program.ts";
import type { Needs } from "./needs.ts";
import type { ComponentSpec, Piece } from "./spec.ts";

type Single = Omit<ComponentSpec, "requires" | "pieces"> & Omit<Piece, "option">;

/** A component without options. */
function single({ packages, units, mustRun, isFound, works, ...spec }: Single): ComponentSpec {
  const { title, summary } = spec;
  const found = { ...(isFound === undefined ? {} : { isFound }), ...(works === undefined ? {} : { works }) };
  return { ...spec, requires: [], pieces: [{ option: null, title, summary, packages, units, mustRun, ...found }] };
}

const tuning: ComponentSpec = {
  id: "tuning",
  title: "Tuning",
  summary: "Small helpers of the system, each can be taken away again",
  ui: null,
  requires: [],
  defaults: ["zram", "earlyoom"],
  pieces: [
    {
      option: "zram",
      title: "Compressed memory (zram)",
      summary: "Keeps seldom used memory small instead of on disk",
      packages: ["zram-tools"],
      units: ["zramswap.service"],
      // What is kept small comes back much faster than from a disk, and gains nothing from what lies beside it.
      sysctls: [
        { key: "vm.swappiness", value: 100 },
        { key: "vm.page-cluster", value: 0 },
      ],
      mustRun: true,
    },
    {
      option: "earlyoom",
      title: "Stop the hungriest first (earlyoom)",
      summary: "Ends one program before the whole server freezes",
      packages: ["earlyoom"],
      units: ["earlyoom.service"],
      mustRun: true,
    },
    {
      option: "irqbalance",
      title: "Spread interrupts (irqbalance)",
      summary: "Network and disk work over all threads of the processor",
      packages: ["irqbalance"],
      units: ["irqbalance.service"],
      // It ends by itself where there is one processor only.
      mustRun: false,
    },
    {
      option: "cpupower",
      title: "Processor speed (cpupower)",
      summary: "Lets an administrator set how the processor saves power",
      packages: ["linux-cpupower"],
      units: ["cpupower.service"],
      mustRun: false,
    },
    {
      option: "preload",
      title: "Programs ahead (preload)",
      summary: "Reads programs that are often used before they are asked for",
      packages: ["preload"],
      units: ["preload.service"],
      mustRun: true,
    },
  ],
};

/** The components that every node offers. */
export function listOwnComponents({ config, lists }: Pick<Needs, "config" | "lists">): readonly ComponentSpec[] {
  return [
    single({
      id: "smart",
      title: "Disk health",
      summary: "Reads each disk's own warnings, by smartmontools",
      ui: "/disks",
      packages: ["smartmontools"],
      units: ["smartmontools.service", "smartd.service"],
      // It does not start where no disk can be watched, such as in a virtual machine; smartctl is what we ask.
      mustRun: false,
      isFound: () => hasProgram(config.smartctl),
    }),
    single({
      id: "vpn",
      title: "VPN tools",
      summary: "What this server needs to be reached from outside as if at home, by WireGuard",
      ui: null,
      packages: ["wireguard-tools"],
      units: [],
      mustRun: false,
    }),
    single({
      id: "proxy",
      title: "Reverse proxy",
      summary: "Passes names on to programs on this server, by Caddy",
      ui: null,
      packages: ["caddy"],
      units: ["caddy.service"],
      mustRun: true,
    }),
    single({
      id: "security-scan",
      title: "Security check",
      summary: "Looks for weak settings of the system, by Lynis",
      ui: null,
      packages: ["lynis"],
      units: [],
      mustRun: false,
    }),
    single({
      id: "backup-restic",
      title: "Read restic backups",
      summary: "The program restic itself; the page of backups reads its repositories without it",
      ui: null,
      packages: ["restic"],
      units: [],
      mustRun: false,
    }),
    tuning,
    single({
      id: "container-runtime",
      title: "Container runtime",
      summary: "What apps run in, by Docker",
      ui: "/containers",
      packages: ["docker.io"],
      units: ["docker.service"],
      mustRun: true,
      isFound: () => lists.engines.all().some((read) => read() !== null),
      works: () => lists.engines.all().some((read) => read()?.answers === true),
      permanent: "cannot be removed from here, since apps and their data live in it",
    }),
  ];
}
