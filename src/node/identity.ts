/** By which this program is known to its host: the names of its file, its units and its folders. */
export const IDENTITY = { name: "orrery-node", short: "node" } as const;
