import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IconName } from "../icons/names.ts";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Glyph } from "./status.tsx";
import { strengthOf } from "./strength.ts";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** What is wrong, in words; turns the field red and is read aloud. */
  error?: string | null | undefined;
  children: (ids: { id: string; describedBy: string }) => ComponentChildren;
}

/** Label, control, hint and error, tied together for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: `${id}-hint` })}
      <div id={`${id}-hint`} aria-live="polite">
        {error ? (
          <p class="hint crit">
            <Glyph state="crit" />
            {error}
          </p>
        ) : (
          hint !== undefined && hint !== null && <div class="hint">{hint}</div>
        )}
      </div>
    </div>
  );
}

interface InputProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  icon?: IconName;
  unit?: string;
  after?: ComponentChildren;
  type?: Kind["type"];
  autocomplete?: "username" | "username webauthn" | "current-password" | "new-password" | "one-time-code" | "off";
  autocapitalize?: "off";
  inputMode?: "numeric";
  spellcheck?: boolean;
  autofocus?: boolean;
  required?: boolean;
  disabled?: boolean;
  min?: number;
  max?: number;
}

type Kind = { type: "text" } | { type: "password" } | { type: "email" } | { type: "url" } | { type: "number" };
const kinds: Record<Kind["type"], Kind> = {
  text: { type: "text" },
  password: { type: "password" },
  email: { type: "email" },
  url: { type: "url" },
  number: { type: "number" },
};

/** One line of text. */
export function Input({ label, hint, error, icon, unit, onValue, after, type = "text", ...rest }: InputProps) {
  const field = useRef<HTMLInputElement>(null);
  // Browsers honour `autofocus` once for each document, and all screens share one.
  useLayoutEffect(() => {
    if (rest.autofocus === true) field.current?.focus();
  }, []);
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <span class={`input ${error ? "is-error" : ""} ${rest.disabled === true ? "is-off" : ""}`}>
          {icon !== undefined && <Icon name={icon} />}
          <input
            {...rest}
            {...kinds[type]}
            ref={field}
            id={id}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          {unit !== undefined && <span class="unit">{unit}</span>}
          {after}
        </span>
      )}
    </Field>
  );
}

/** A password with a way to see it; `meter` adds the strength of a new one. */
export function Password({ meter = false, ...rest }: InputProps & { meter?: boolean }) {
  const [shown, show] = useState(false);
  const strength = meter && rest.value !== "" ? strengthOf(rest.value) : null;
  const eye = (
    <IconButton
      icon={shown ? "eye-off" : "eye"}
      label={shown ? "Hide passphrase" : "Show passphrase"}
      size="sm"
      class="in"
      onClick={() => show(!shown)}
    />
  );
  const hint = strength === null ? rest.hint : <Strength score={strength.score} word={strength.word} />;
  return (
    <Input
      icon="lock"
      autocomplete="current-password"
      {...rest}
      hint={hint}
      type={shown ? "text" : "password"}
      spellcheck={false}
      autocapitalize="off"
      after={eye}
    />
  );
}

function Strength({ score, word }: { score: number; word: string }) {
  const tone = score >= 3 ? "ok" : score === 2 ? "warn" : "crit";
  return (
    <span class="strength">
      <span class={`meter ${tone}`} role="img" aria-label={word}>
        {[1, 2, 3, 4].map((step) => (
          <i key={step} class={step <= score ? "on" : ""} />
        ))}
      </span>
      <span class={`hint ${tone}`}>
        <Glyph state={tone} />
        {word}
      </span>
    </span>
  );
}

/** A search box; the `/` key reaches the one marked `data-search`. */
export function Search({
  label,
  value,
  onValue,
  quiet = false,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  quiet?: boolean;
}) {
  return (
    <span class={`input search ${quiet ? "quiet" : ""}`}>
      <Icon name="search" />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {value === "" && !quiet && <kbd class="kbd no-sm">/</kbd>}
    </span>
  );
}
