import { useState } from "preact/hooks";
import type { Template } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Segmented, Select } from "../../../kit/choice.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { type ChannelKind, kinds } from "./channel-kinds.ts";
import { TemplateEditor } from "./template-editor.tsx";

const occasions: { value: Template["kind"]; label: string }[] = [
  { value: "fired", label: "Fires" },
  { value: "resolved", label: "Ends" },
  { value: "reminder", label: "Goes on" },
  { value: "flapping", label: "Unsteady" },
];

/** What alerts say, for each occasion and kind of channel. */
export function TemplatesTab() {
  const texts = useResource("GET /api/alerting/templates");
  const [occasion, setOccasion] = useState<Template["kind"]>("fired");
  const [type, setType] = useState<ChannelKind>("email");
  return (
    <Card title="Templates" aside="what alerts say" w={12}>
      <Loaded of={texts} what="Templates" skeleton={<Skeleton rows={4} />}>
        {({ templates, variables, recent_events }) => {
          const template = templates.find((item) => item.kind === occasion && item.channel_type === type);
          return (
            <div class="card-b stack">
              <div class="templatebar">
                <Segmented label="Occasion" value={occasion} options={occasions} onValue={setOccasion} />
                <Select
                  label="Kind of channel"
                  value={type}
                  options={kinds.map((kind) => ({ value: kind.type, label: kind.name }))}
                  onValue={setType}
                />
                {template?.is_custom === true && <Chip state="acc">Your own text</Chip>}
              </div>
              {template !== undefined && (
                <TemplateEditor
                  key={`${occasion} ${type}`}
                  template={template}
                  texts={{ variables, recent_events }}
                  onSaved={(saved) =>
                    texts.set((now) =>
                      now === null
                        ? null
                        : {
                            ...now,
                            templates: now.templates.map((item) =>
                              item.kind === saved.kind && item.channel_type === saved.channel_type ? saved : item,
                            ),
                          },
                    )
                  }
                />
              )}
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}
