/** Things that alerts can be about, as the features that know of them describe them; alerting itself knows none. */

/** Units of figures; screens and messages write them out. */
export type Unit = "percent" | "bytes" | "bps" | "celsius" | "none";

/** A kind of thing. One feature describes it; others may measure it, or tell of it. */
export interface WatchedKind {
  /** What its entities begin with: `app` for `app:app_1`. Where there is only one of it, that is the whole of its name. */
  kind: string;
  isSingle?: boolean;
  /** All of them in a sentence, or the single one: `any app`, `this server`. */
  any: string;
  /** Why an alert about one that is not there any more ended: `the app was uninstalled`. */
  removed?: string;
  /** The same about one that was stopped. */
  stopped?: string;
  /** They come and go: one that falls silent is missed only where a rule names it. */
  isFleeting?: boolean;
  /** A figure that is there whenever one of them is measured at all; others, such as a sensor's, may be missing for good. */
  vital?: string;
  /** Names for people by id. Where such a list is kept, what is not in it does not exist any more; else ids serve as names. */
  names?(): ReadonlyMap<string, string>;
  /** Ids of those that are meant to work: what was measured of others before says nothing about now. */
  active?(): ReadonlySet<string>;
  /** Ids of those from which silence would be news. */
  speaking?(): ReadonlySet<string>;
  /** A look at which of them are part of this server now, by id. */
  look?(): (id: string) => boolean;
}

/** A figure that rules can watch. */
export interface WatchedMetric {
  kind: string;
  /** As in the series. */
  name: string;
  /** Shorter names that rules may use for it. */
  aliases?: readonly string[];
  /** For people, as in "Processor use of this server". */
  label: string;
  unit: Unit;
}

/** Something good or bad that events tell of; see `AlertWord`. */
export interface WatchedState {
  kind: string;
  name: string;
  label: string;
  /** What a rule about it is called: `An app crashed`. */
  title: string;
}

/** What one feature knows of things to watch. */
export interface Watched {
  kinds?: readonly WatchedKind[];
  metrics?: readonly WatchedMetric[];
  states?: readonly WatchedState[];
}
