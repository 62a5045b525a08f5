import { useState } from "preact/hooks";
import { Card } from "../../kit/card.tsx";
import { Checkbox, Segmented, Select, Switch } from "../../kit/choice.tsx";
import { CodeLine, SecretOnce } from "../../kit/copy.tsx";
import { Input, Password, Search } from "../../kit/field.tsx";
import { Qr } from "../../kit/qr.tsx";
import { toast } from "../../kit/toasts.ts";

/** Fields and choices. */
export function Forms() {
  const [text, setText] = useState("atlas");
  const [password, setPassword] = useState("seven quiet herons");
  const [range, setRange] = useState("24 h");
  const [on, setOn] = useState(true);
  const ranges = ["1 h", "24 h", "7 d"].map((value) => ({ value, label: value }));
  return (
    <Card title="Fields and choices" w={6}>
      <div class="card-b stack">
        <div class="two">
          <Input
            label="Name"
            icon="server"
            unit=".local"
            value={text}
            onValue={setText}
            hint="Letters, digits and hyphens"
          />
          <Input label="Wrong" value="at las" onValue={setText} error="No spaces. Try atlas." />
          <Input label="Off" value="Set by the panel" onValue={setText} disabled />
          <Password label="Passphrase" value={password} onValue={setPassword} meter autocomplete="new-password" />
        </div>
        <Search label="Search apps" value="" onValue={setText} />
        <div class="btns">
          <Segmented label="Range" value={range} options={ranges} onValue={setRange} />
          <Segmented size="sm" label="Range, compact" value={range} options={ranges} onValue={setRange} />
          <Select label="Schedule" value={range} options={ranges} onValue={setRange} />
          <Select size="sm" label="Schedule, compact" value={range} options={ranges} onValue={setRange} />
        </div>
        <div class="two">
          <Switch checked={on} onChecked={setOn} sub="At once">
            Switch
          </Switch>
          <Checkbox checked={on} onChecked={setOn} sub="Sent later">
            Checkbox
          </Checkbox>
          <Switch checked={false} disabled onChecked={setOn}>
            Switch, off
          </Switch>
          <Checkbox checked disabled onChecked={setOn}>
            Checkbox, off
          </Checkbox>
        </div>
        <CodeLine text="orrery app install immich" />
        <CodeLine text="quiet-heron-8812" secret />
        <div class="two">
          <SecretOnce label="Your key, shown once" value="svc_9f2Kq7ZhB41" onSaved={() => toast("Saved.")} />
          <Qr text="https://atlas.local/" label="Address of this server" />
        </div>
      </div>
    </Card>
  );
}
