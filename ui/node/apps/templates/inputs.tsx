import type { TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";
import { Select, Switch } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";

type TemplateInput = TemplateDetail["inputs"][number];

/** Values of an app's own choices, by key. */
export type InputValues = Record<string, string | number | boolean>;

/** What the form starts with: the app's defaults, and this browser's time zone where one is asked for. */
export function defaultInputs(inputs: TemplateInput[]): InputValues {
  const values: InputValues = {};
  for (const input of inputs) {
    const start = input.type === "timezone" ? Intl.DateTimeFormat().resolvedOptions().timeZone : input.default;
    if (start !== null && start !== "") values[input.key] = start;
  }
  return values;
}

interface FieldProps {
  input: TemplateInput;
  value: string | number | boolean | undefined;
  onValue: (value: string | number | boolean) => void;
}

/** The app's own choices, each as the control that fits its type. */
export function TemplateInputs({
  inputs,
  values,
  onChange,
}: {
  inputs: TemplateInput[];
  values: InputValues;
  onChange: (values: InputValues) => void;
}) {
  return (
    <>
      {inputs.map((input) => (
        <TemplateField
          key={input.key}
          input={input}
          value={values[input.key]}
          onValue={(value) => onChange({ ...values, [input.key]: value })}
        />
      ))}
    </>
  );
}

function TemplateField({ input, value, onValue }: FieldProps) {
  const hint = input.hint ?? (input.required ? undefined : "Optional");
  if (input.type === "boolean") {
    return (
      <Switch checked={String(value) === "true"} onChecked={onValue} {...(hint === undefined ? {} : { sub: hint })}>
        {input.label}
      </Switch>
    );
  }
  const choices = choicesOf(input);
  if (choices === null) return <TextField input={input} value={value} onValue={onValue} />;
  return (
    <div class="field">
      <span class="label">{input.label}</span>
      <Select label={input.label} value={String(value ?? "")} options={choices} onValue={onValue} />
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}

function choicesOf(input: TemplateInput): { value: string; label: string }[] | null {
  if (input.type === "timezone") {
    return ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => ({
      value: zone,
      label: zone.replaceAll("_", " "),
    }));
  }
  return input.rules?.options ?? null;
}

function TextField({ input, value, onValue }: FieldProps) {
  const hint = input.hint ?? (input.required ? undefined : "Optional");
  const shared = {
    label: input.label,
    hint,
    value: value === undefined ? "" : String(value),
    required: input.required,
  };
  if (input.type === "password") return <Password {...shared} onValue={onValue} autocomplete="new-password" />;
  if (input.type === "number") {
    const { min, max } = input.rules ?? {};
    const limits = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
    return <Input {...shared} {...limits} type="number" onValue={(text) => onValue(text === "" ? "" : Number(text))} />;
  }
  const type = input.type === "email" || input.type === "url" ? input.type : "text";
  return <Input {...shared} type={type} onValue={onValue} autocomplete="off" spellcheck={false} />;
}
