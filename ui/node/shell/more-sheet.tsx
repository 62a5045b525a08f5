import { Dialog } from "../../kit/dialog.tsx";
import { Menu } from "./sidebar.tsx";

/** The whole menu on phones, which have no room for it beside the page. */
export function MoreSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Go to" onClose={onClose} width="sm">
      <div class="moresheet">
        <Menu group="main" label="Main" heading onOpen={onClose} />
        <Menu group="watch" label="Watch" heading onOpen={onClose} />
        <Menu group="manage" label="Manage" heading onOpen={onClose} />
      </div>
    </Dialog>
  );
}
