import { useState } from "preact/hooks";
import { Button, IconButton, LinkButton } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { ConfirmDanger, Dialog, Drawer } from "../../kit/dialog.tsx";
import { Menu } from "../../kit/menu.tsx";
import { CommandPalette } from "../../kit/palette.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { toast } from "../../kit/toasts.ts";

const kinds: ("primary" | "default" | "ghost" | "danger" | "confirm")[] = [
  "primary",
  "default",
  "ghost",
  "danger",
  "confirm",
];

/** Buttons in every state, menus, and the layers above the page. */
export function Actions() {
  const [layer, open] = useState<string | null>(null);
  const [query, setQuery] = useState("");
  const close = (): void => open(null);
  return (
    <Card title="Buttons and layers" w={6}>
      <div class="card-b stack">
        {kinds.map((kind) => (
          <div class="btns" key={kind}>
            <Button kind={kind}>Save</Button>
            <Button kind={kind} size="sm">
              Compact
            </Button>
            <Button kind={kind} icon="restart">
              With glyph
            </Button>
            <Button kind={kind} disabled>
              Off
            </Button>
            <Button kind={kind} busy>
              Busy
            </Button>
          </div>
        ))}
        <div class="btns">
          <IconButton icon="restart" label="Restart" />
          <IconButton icon="restart" label="Restart, compact" size="sm" />
          <LinkButton href="/__ui" icon="external">
            A link
          </LinkButton>
          <Menu
            label="Example menu"
            trigger={(props) => (
              <Button {...props} icon="more">
                Menu
              </Button>
            )}
            items={[
              { label: "Open", icon: "external", run: () => toast("Opened.") },
              { label: "Restart", icon: "restart", hint: "R", run: () => toast("Restarted.") },
              { label: "Not now", icon: "clock", disabled: true },
              { label: "Uninstall…", icon: "trash", danger: true, run: () => open("confirm") },
            ]}
          />
        </div>
        <div class="btns">
          <Button onClick={() => open("dialog")}>Dialog</Button>
          <Button onClick={() => open("drawer")}>Drawer</Button>
          <Button onClick={() => open("confirm")}>Confirm</Button>
          <Button onClick={() => open("palette")}>Palette</Button>
          <Button onClick={() => toast("Immich restarted", { action: { label: "Undo", run: () => toast("Undone.") } })}>
            Toast
          </Button>
          <Button onClick={() => toast("Not saved: changed in another tab", { state: "crit" })}>Bad toast</Button>
        </div>
        <Tabs
          label="Example tabs"
          current="one"
          tabs={[
            { id: "one", label: "Overview", href: "/__ui" },
            { id: "two", label: "Logs", href: "/__ui?tab=logs" },
          ]}
        />
        {layer === "dialog" && (
          <Dialog
            title="A dialog"
            sub="With a second line"
            onClose={close}
            foot={<Button onClick={close}>Close</Button>}
          >
            <p class="c2">Focus stays inside, Escape closes.</p>
          </Dialog>
        )}
        {layer === "drawer" && (
          <Drawer title="A drawer" onClose={close}>
            <p class="c2">Details of a row, without leaving the list.</p>
          </Drawer>
        )}
        {layer === "confirm" && (
          <ConfirmDanger
            title="Uninstall Immich?"
            typed="immich"
            action="Uninstall"
            extra={{ label: "Delete the data too", sub: "1.8 TB" }}
            onConfirm={async () => close()}
            onClose={close}
          >
            The app stops and its containers are removed.
          </ConfirmDanger>
        )}
        {layer === "palette" && (
          <CommandPalette
            onClose={close}
            query={query}
            onQuery={setQuery}
            commands={["Restart", "Restore a backup", "Resources"].map((title) => ({
              id: title,
              title,
              group: "Example",
              icon: "restart",
              run: () => toast(title),
            }))}
          />
        )}
      </div>
    </Card>
  );
}
