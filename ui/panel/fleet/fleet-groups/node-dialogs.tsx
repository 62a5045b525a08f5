import { signal } from "@preact/signals";
import type { Instance } from "../../../../src/panel/fleet/fleet/contract.ts";
import { DeleteNode } from "../onboarding/delete-node.tsx";
import { ClientDialog } from "./client-dialog.tsx";
import { OfflineDialog } from "./offline-dialog.tsx";
import { GroupDialog, RegionDialog } from "./place-dialogs.tsx";
import { TagsDialog } from "./tags-dialog.tsx";

/** What a dialog needs to know of a node. */
type Subject = Pick<Instance, "id" | "hostname" | "region" | "region_source" | "group_id" | "msp_client_id" | "tags">;

interface Asked {
  what: "region" | "client" | "group" | "tags" | "offline" | "delete";
  nodes: readonly Subject[];
}

const asked = signal<Asked | null>(null);

/** Opens a dialog that changes nodes. */
export function ask(what: Asked["what"], nodes: readonly Subject[]): void {
  asked.value = { what, nodes };
}

/** The open dialog, one for a whole screen, because rows come and go while the list moves. */
export function NodeDialogs({ onDone, onDeleted }: { onDone: () => void; onDeleted: () => void }) {
  if (asked.value === null) return null;
  const { what, nodes } = asked.value;
  const [first] = nodes;
  if (first === undefined) return null;
  const onClose = (): void => {
    asked.value = null;
  };
  const props = { nodes, onDone, onClose };
  const own = nodes.length === 1 ? first : null;
  if (what === "region")
    return <RegionDialog {...props} region={own?.region_source === "manual" ? own.region : null} />;
  if (what === "client") return <ClientDialog {...props} client={own?.msp_client_id ?? null} />;
  if (what === "group") return <GroupDialog {...props} group={own?.group_id ?? null} />;
  if (what === "tags") return <TagsDialog {...props} />;
  if (what === "offline") return <OfflineDialog {...props} />;
  return <DeleteNode node={first} onDone={onDeleted} onClose={onClose} />;
}
