import { IconButton } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import { besides, type DraftRule } from "./rules.ts";

/** One rule by which objects, or unfinished uploads, end. */
export function RuleField({
  rule,
  number,
  onRule,
  onRemove,
}: {
  rule: DraftRule;
  number: number;
  onRule: (rule: DraftRule) => void;
  onRemove: () => void;
}) {
  const also = besides(rule);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in all browsers.
    <div class="objectrule" role="group" aria-label={`Rule ${number}`}>
      <Input
        label="Names beginning with"
        value={rule.prefix}
        onValue={(prefix) => onRule({ ...rule, prefix })}
        hint="Left empty, all of them."
        spellcheck={false}
        autocomplete="off"
      />
      <Days label="Objects end after" value={rule.after} onValue={(after) => onRule({ ...rule, after })} />
      <Days label="Unfinished uploads after" value={rule.uploads} onValue={(uploads) => onRule({ ...rule, uploads })} />
      <IconButton size="sm" icon="trash" label={`Remove rule ${number}`} onClick={onRemove} />
      {also !== null && <p class="hint">Only what is {also}. A program set that, and it stays.</p>}
    </div>
  );
}

const Days = (field: { label: string; value: string; onValue: (value: string) => void }) => (
  <Input {...field} unit="days" type="number" min={1} max={36_500} inputMode="numeric" />
);
