/** The thread that owns the writing connection: it runs one statement after the other, in the order they come. */
import type { Database } from "bun:sqlite";
import { closeDatabase, openDatabase } from "../db/open.ts";
import type { WriterAnswer, WriterRequest } from "./sqlite-messages.ts";

declare const self: {
  onmessage: ((event: MessageEvent<WriterRequest>) => void) | null;
  postMessage(answer: WriterAnswer): void;
};

let db: Database | null = null;

function answer(request: WriterRequest): { rows: unknown[]; changes: number } {
  if (request.do === "open") {
    db = openDatabase(request.path, request.durability);
    return { rows: [], changes: 0 };
  }
  if (!db) throw new Error("the database is not open");
  switch (request.do) {
    case "all":
      return { rows: db.query(request.sql).all(...(request.values as never[])), changes: 0 };
    case "run":
      return { rows: [], changes: db.query(request.sql).run(...(request.values as never[])).changes };
    case "script":
      db.run(request.sql);
      return { rows: [], changes: 0 };
    case "close":
      closeDatabase(db);
      db = null;
      return { rows: [], changes: 0 };
  }
}

self.onmessage = ({ data }) => {
  try {
    self.postMessage({ id: data.id, ...answer(data) });
  } catch (error) {
    self.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) });
  }
};
