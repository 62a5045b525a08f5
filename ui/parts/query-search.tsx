import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { setQuery } from "../client/router.ts";
import { Search } from "../kit/field.tsx";

const typingMs = 250;

/** A search whose text goes into the address, as `?q=` or under another name, and so to the server, once the typing rests. */
export function QuerySearch({
  label,
  value,
  name = "q",
  quiet = false,
}: {
  label: string;
  value: string;
  name?: string;
  quiet?: boolean;
}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      sent.current = text.trim();
      setQuery({ [name]: sent.current });
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  // Changed from outside, by a link.
  useLayoutEffect(() => {
    if (value !== sent.current) setText(value);
  }, [value]);
  return <Search quiet={quiet} label={label} value={text} onValue={setText} />;
}
