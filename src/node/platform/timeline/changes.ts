import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import type { NodeBase } from "../../base.ts";
import { readerOf } from "./read.ts";
import { listOfTypes, type Reader } from "./store.ts";

/** Something that was done, as the timeline tells it. */
export interface Change {
  at: string;
  title: string;
  /** The same for messages that leave the server. */
  outside: string;
  /** Page of the dashboard. */
  link: string | null;
}

/** What is asked about: a thing and a span of time, in milliseconds. */
export interface ChangeQuery {
  kind: string;
  id: string;
  since: number;
  /** Not included. */
  until: number;
}

/** Nobody reads more of them. */
const MAX_CHANGES = 20;
const EVERYTHING: Reader = { rank: 2, user_id: "" };

/**
 * What was done to a thing, or to the server below it, in a span of time, newest first: all of it, or with `actor` what that
 * one may see.
 */
export function listChanges(
  { db, meanings }: Pick<NodeBase, "db" | "meanings">,
  { kind, id, since, until }: ChangeQuery,
  actor: Pick<Actor, "role" | "user_id"> | null,
): Change[] {
  const types = [...meanings].flatMap(([type, { change }]) => (change ? [type] : []));
  const reader = actor === null ? EVERYTHING : readerOf(actor);
  return listOfTypes(db, reader, types, { kind, id }, { since, until }, MAX_CHANGES).map(
    ({ at, type, title, link }) => ({
      at: toIso(at),
      title,
      outside: meanings.get(type)?.change?.outside ?? title,
      link,
    }),
  );
}
