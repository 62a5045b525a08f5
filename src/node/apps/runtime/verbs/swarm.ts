import type { Wire } from "../engine-wire.ts";

/** What an engine knows of its swarm without being a manager. */
export interface SwarmFacts {
  /** `inactive`, `pending`, `active`, `error` or `locked`; empty on engines that were built without swarms. */
  state: string;
  /** Empty until it has joined. */
  node_id: string;
  /** The address that it told the others; may be empty. */
  address: string;
  is_manager: boolean;
  /** Of the swarm; null on workers, and while the managers have no majority. */
  cluster: { id: string; name: string } | null;
  /** The managers it knows, itself among them when it is one. */
  managers: { node_id: string; address: string }[];
}

/** A member as the managers see it. */
export interface SwarmMember {
  id: string;
  hostname: string;
  /** `worker` or `manager`. */
  role: string;
  /** `ready`, `down`, `disconnected` or `unknown`. */
  state: string;
  /** May be empty, or an address that means the manager that answered. */
  address: string;
  /** Null for workers. `reachability` is `reachable`, `unreachable` or `unknown`. */
  manager: { is_leader: boolean; reachability: string; address: string } | null;
}

interface RawSwarm {
  LocalNodeState?: string;
  NodeID?: string;
  NodeAddr?: string;
  ControlAvailable?: boolean;
  Cluster?: { ID?: string; Spec?: { Name?: string } } | null;
  RemoteManagers?: { NodeID?: string; Addr?: string }[] | null;
}

interface RawMember {
  ID?: string;
  Spec?: { Role?: string };
  Description?: { Hostname?: string };
  Status?: { State?: string; Addr?: string };
  ManagerStatus?: { Leader?: boolean; Reachability?: string; Addr?: string } | null;
}

/** A manager without a majority answers only after it has waited 20 seconds for one. */
const PATIENCE_MS = 30_000;

/** Verbs about the swarm that the engine may be in. */
export function swarmVerbs(wire: Wire) {
  return {
    async swarm(): Promise<SwarmFacts> {
      const { Swarm } = await wire.call<{ Swarm?: RawSwarm }>("GET", "/info", { timeoutMs: PATIENCE_MS });
      const id = Swarm?.Cluster?.ID ?? "";
      return {
        state: Swarm?.LocalNodeState ?? "",
        node_id: Swarm?.NodeID ?? "",
        address: Swarm?.NodeAddr ?? "",
        is_manager: Swarm?.ControlAvailable ?? false,
        cluster: id === "" ? null : { id, name: Swarm?.Cluster?.Spec?.Name ?? "" },
        managers: (Swarm?.RemoteManagers ?? []).map(({ NodeID = "", Addr = "" }) => ({
          node_id: NodeID,
          address: Addr,
        })),
      };
    },

    /** Every member. Throws EngineError on a worker, and while the managers have no majority. */
    async swarmMembers(): Promise<SwarmMember[]> {
      const members = await wire.call<RawMember[]>("GET", "/nodes", { timeoutMs: PATIENCE_MS });
      return members.map(({ ID = "", Spec, Description, Status, ManagerStatus }) => ({
        id: ID,
        hostname: Description?.Hostname ?? "",
        role: Spec?.Role ?? "",
        state: Status?.State ?? "",
        address: Status?.Addr ?? "",
        manager: ManagerStatus
          ? {
              is_leader: ManagerStatus.Leader ?? false,
              reachability: ManagerStatus.Reachability ?? "",
              address: ManagerStatus.Addr ?? "",
            }
          : null,
      }));
    },
  };
}
