import { look } from "../../../client/preferences.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Orrery } from "../../../kit/orrery.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { LookPanel } from "../../../parts/look-panel.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { isAdmin } from "../../client/session.ts";
import { settingsCards } from "../../settings-cards.ts";

/** How this dashboard looks, with a live preview; for administrators also what features let them choose. */
export function Settings() {
  return (
    <div class="page">
      <header class="head">
        <h1>Settings</h1>
        <span class="push">
          <LinkButton size="sm" href="/settings/plan">
            Plan of this server
          </LinkButton>
        </span>
      </header>
      <SettingsTabs />
      <div class="grid12">
        <Card title="Appearance" aside="for your account" w={5}>
          <div class="card-b">
            <LookPanel motion />
          </div>
        </Card>
        <Card
          title="Preview"
          aside={look.value.accent === "custom" ? `your colour ${look.value.custom}` : look.value.accent}
          w={7}
        >
          <div class="card-b preview">
            <div class="stack">
              <p class="t22">Steady orbit</p>
              <p class="c2">
                Text, <span class="acc w5">accent</span>, and what is <span class="c3">quiet</span>. Your own colour is
                made readable on every surface.
              </p>
              <div class="btns">
                <Button kind="primary">Install</Button>
                <Button>Restart</Button>
                <Button kind="danger">Uninstall</Button>
              </div>
              <div class="btns">
                <Chip state="ok">Running</Chip>
                <Chip state="warn">Late</Chip>
                <Chip state="crit">Failed</Chip>
                <Chip state="acc">New</Chip>
              </div>
              <Meter value={62} label="Example" tone="acc" />
              <Status state="busy">Updating…</Status>
            </div>
            <Orrery
              label="Preview"
              names={false}
              bodies={[
                { id: "a", name: "One", ring: "a", memory: 1, processor: 20, state: "ok" },
                { id: "b", name: "Two", ring: "b", memory: 2.4, processor: 30, state: "ok" },
                { id: "c", name: "Three", ring: "b", memory: 0.5, processor: 6, state: "ok" },
                { id: "d", name: "Four", ring: "c", memory: 0.8, processor: 12, state: "crit" },
                { id: "e", name: "Five", ring: "d", memory: 0.4, processor: 8, state: "off" },
              ]}
            />
          </div>
        </Card>
        {isAdmin() && settingsCards.map((View, index) => <View key={index} />)}
      </div>
    </div>
  );
}
