import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { addFilter, type FleetFilter, figureWords, filterWords, tokensOf, withoutToken } from "./filter.ts";
import { type Known, type Suggestion, suggestionsFor } from "./suggest.ts";
import { beforeLast, freeText, parseWords } from "./words.ts";

const typingMs = 220;
/** The beginning of a filter word such as `status:` is searched for later, because its colon may follow. */
const wordMs = 1200;

interface QueryBoxProps {
  filter: FleetFilter;
  onFilter: (next: FleetFilter) => void;
  known: Known;
  /** Names of clients by id: people know the names, the API the ids. */
  clients: ReadonlyMap<string, string>;
}

/** Typed words narrow the list: a known word with its value becomes a token, the rest is searched for once the typing rests. */
export function QueryBox({ filter, onFilter, known, clients }: QueryBoxProps) {
  const [text, setText] = useState(() => freeText(filter.q));
  const [problem, setProblem] = useState<string | null>(null);
  const [at, setAt] = useState(-1);
  const [isOpen, open] = useState(false);
  const sent = useRef(filter.q);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef((_typed: string, _whole: boolean): void => {});
  const listId = useId();
  const { done, last } = beforeLast(text);
  const offers = isOpen ? suggestionsFor(last, known) : [];

  // Changed from outside: by a view, a facet, or Back.
  useLayoutEffect(() => {
    if (filter.q === sent.current) return;
    sent.current = filter.q;
    setText(freeText(filter.q));
  }, [filter.q]);
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text, false), beginsWord(last) ? wordMs : typingMs);
    return () => clearTimeout(timer);
  }, [text]);

  /** Whole words become tokens; with `whole` the one that is being written too. */
  const take = (typed: string, whole: boolean): void => {
    const parts = whole ? { done: typed, last: "" } : beforeLast(typed);
    const parsed = parseWords(parts.done);
    const set = { ...byId(parsed.filter, clients), q: "" };
    const isSet = tokensOf(set).length > 0;
    const rest = freeText(parsed.filter.q) + (parsed.filter.q !== "" && parts.last !== "" ? " " : "") + parts.last;
    const isWaiting = tokensOf(parseWords(parts.last).filter).length > 0;
    const q = (isWaiting ? parsed.filter.q : parseWords(rest).filter.q).trim();
    const [late] = beginsKnown(parts.last) ? [] : parseWords(parts.last).problems;
    setProblem(parsed.problems[0] ?? late ?? null);
    if (isSet) setText(rest);
    if (isSet || q !== sent.current) {
      sent.current = q;
      onFilter({ ...addFilter(filter, set), q });
    }
  };
  // What was chosen beside the box while the typing rested is part of the filter by then.
  latest.current = take;
  const choose = (offer: Suggestion): void => {
    const next = `${done}${offer.word}`;
    setAt(-1);
    setText(next);
    if (offer.whole) take(next, true);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const offer = offers[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (offers.length === 0) return;
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt((at + step + offers.length + (at < 0 && step < 0 ? 1 : 0)) % offers.length);
    } else if (event.key === "Enter" || (event.key === "Tab" && offer !== undefined)) {
      if (offer === undefined) take(text, true);
      else choose(offer);
      open(offer !== undefined && !offer.whole);
    } else if (event.key === "Escape" && offers.length > 0) open(false);
    else if (event.key === "Escape") input.current?.blur();
    else if (event.key === "Backspace" && input.current?.selectionEnd === 0) {
      const token = tokensOf(filter).at(-1);
      if (token !== undefined) onFilter(withoutToken(filter, token));
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="querybox">
      {/* biome-ignore lint/a11y/useSemanticElements: a search element has no style of its own in older browsers. */}
      <div class="query" role="search">
        <Icon name="search" />
        {tokensOf(filter).map((token) => {
          const { list, item, field, word, value } = token;
          const shown = field === "tenant" ? (clients.get(value) ?? value) : value;
          return (
            <span class="tok" key={`${list} ${item}`}>
              {word !== "" && <span>{word}</span>}
              <span class="val cut">{shown}</span>
              <button
                type="button"
                aria-label={`Remove ${word.replace(":", " ")}${shown}`}
                onClick={() => onFilter(withoutToken(filter, token))}
              >
                <Icon name="x" />
              </button>
            </span>
          );
        })}
        <input
          ref={input}
          data-search
          type="text"
          role="combobox"
          aria-label="Search nodes, or type words such as status:offline"
          aria-autocomplete="list"
          aria-expanded={offers.length > 0}
          aria-controls={listId}
          aria-activedescendant={at >= 0 && offers[at] !== undefined ? `${listId}-${at}` : undefined}
          placeholder={tokensOf(filter).length === 0 ? "Search, or type status: tag: -region: cpu>80" : "Search"}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(-1);
            open(true);
          }}
          onFocus={() => open(true)}
          onBlur={() => open(false)}
          onKeyDown={onKeyDown}
        />
        {text === "" && <kbd class="kbd no-sm">/</kbd>}
      </div>
      <div class="offers" role="listbox" id={listId} aria-label="Suggestions" hidden={offers.length === 0}>
        {offers.map((offer, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys; the list never has the focus.
          <div
            key={offer.word}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(offer)}
          >
            <code>{offer.word}</code>
            <span class="push c3">{offer.hint}</span>
          </div>
        ))}
      </div>
      <p class="hint warn" role="status">
        {problem}
      </p>
    </div>
  );
}

/** The filter with clients by their ids, as the API knows them. */
function byId(filter: FleetFilter, clients: ReadonlyMap<string, string>): FleetFilter {
  const not = filter.not.map((item) =>
    item.startsWith("tenant:") ? `tenant:${clientId(clients, item.slice("tenant:".length))}` : item,
  );
  return { ...filter, not, tenant: filter.tenant.map((name) => clientId(clients, name)) };
}

/** The client that a name means; a text that is no name is an id, or nobody's. */
function clientId(clients: ReadonlyMap<string, string>, text: string): string {
  const name = text.toLowerCase();
  return [...clients].find(([, one]) => one.toLowerCase() === name)?.[0] ?? text;
}

function beginsWord(typed: string): boolean {
  const begun = typed.toLowerCase().replace(/^-/, "");
  return begun.length > 1 && words.some((word) => word.startsWith(begun));
}

const words = [...Object.keys(filterWords), ...Object.keys(figureWords)];

/** Whether a word of the box is written as far as its sign: what is wrong with it may only be missing yet. */
const beginsKnown = (typed: string): boolean => {
  const [name = ""] = typed.toLowerCase().replace(/^-/, "").split(/[:<>]/);
  return words.includes(name);
};
