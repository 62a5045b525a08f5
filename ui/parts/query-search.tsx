import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { setQuery } from "../client/router.ts";
import { Search } from "../kit/field.tsx";

const typingMs = 250;

/** A search whose text goes into `?q=` of the address, and so to the server, once the typing rests. */
export function QuerySearch({ label, value }: { label: string; value: string }) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      sent.current = text.trim();
      setQuery({ q: sent.current });
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  // Changed from outside, by a link.
  useLayoutEffect(() => {
    if (value !== sent.current) setText(value);
  }, [value]);
  return <Search label={label} value={text} onValue={setText} />;
}
