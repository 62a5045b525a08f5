import type { ChangeSource } from "../../base.ts";

/** Who looks at notifications right now, and how they hear of new ones. */
export interface NotificationChanges extends ChangeSource {
  /** Something is not as it was: for one member, or with no member named for all of the workspace. */
  changed(tenantId: string, memberId: string): void;
}

/** Makes that, with nobody looking yet. */
export function createNotificationChanges(): NotificationChanges {
  const looking = new Map<string, Set<{ member_id: string; tell: () => void }>>();
  return {
    topic: "notifications",
    permission: null,
    onChange({ tenant_id, member_id }, tell) {
      const mine = { member_id, tell };
      const all = looking.get(tenant_id) ?? new Set();
      looking.set(tenant_id, all.add(mine));
      return () => {
        all.delete(mine);
        if (all.size === 0) looking.delete(tenant_id);
      };
    },
    changed(tenantId, memberId) {
      for (const { member_id, tell } of looking.get(tenantId) ?? []) {
        if (memberId === "" || memberId === member_id) tell();
      }
    },
  };
}
