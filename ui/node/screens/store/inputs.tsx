import type { TemplateInput } from "../../../client/types.ts";
import { Select, Switch } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";

/** Values of an app's own choices, by key. */
export type InputValues = Record<string, string | number | boolean>;

/** What the form starts with. */
export function defaultInputs(inputs: TemplateInput[]): InputValues {
  return Object.fromEntries(
    inputs.flatMap((input) =>
      input.default === undefined || input.default === null ? [] : [[input.key, input.default]],
    ),
  );
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
  if (inputs.length === 0) return null;
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

function TemplateField({
  input,
  value,
  onValue,
}: {
  input: TemplateInput;
  value: string | number | boolean | undefined;
  onValue: (value: string | number | boolean) => void;
}) {
  const hint = input.hint ?? (input.required ? undefined : "Optional");
  const text = value === undefined ? "" : String(value);
  if (input.type === "boolean") {
    return (
      <Switch checked={value === true} onChecked={onValue} {...(hint === undefined ? {} : { sub: hint })}>
        {input.label}
      </Switch>
    );
  }
  const options = input.rules?.options;
  if (options !== undefined) {
    return (
      <div class="field">
        <span class="label">{input.label}</span>
        <Select
          label={input.label}
          value={text}
          options={options.map((option) => ({ value: option, label: option }))}
          onValue={onValue}
        />
        {hint !== undefined && <p class="hint">{hint}</p>}
      </div>
    );
  }
  if (input.type === "password")
    return (
      <Password
        label={input.label}
        hint={hint}
        value={text}
        onValue={onValue}
        autocomplete="new-password"
        required={input.required}
      />
    );
  if (input.type === "number" || input.type === "integer") {
    const limits = {
      ...(input.rules?.min === undefined ? {} : { min: input.rules.min }),
      ...(input.rules?.max === undefined ? {} : { max: input.rules.max }),
    };
    return (
      <Input
        label={input.label}
        hint={hint}
        type="number"
        value={text}
        onValue={(next) => onValue(next === "" ? "" : Number(next))}
        required={input.required}
        {...limits}
      />
    );
  }
  const type = input.type === "email" ? "email" : input.type === "url" ? "url" : "text";
  return (
    <Input
      label={input.label}
      hint={hint}
      type={type}
      value={text}
      onValue={onValue}
      required={input.required}
      autocomplete="off"
    />
  );
}
