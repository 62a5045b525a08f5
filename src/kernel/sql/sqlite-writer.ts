/** The thread that owns the writing connection: it runs one statement after the other, in the order they come. */
import type { Database } from "bun:sqlite";
import { closeDatabase, openDatabase } from "../db/open.ts";
import { answerQuestions } from "../thread.ts";
import type { WriterAnswer, WriterRequest } from "./sqlite-messages.ts";

let db: Database | null = null;

answerQuestions((request: WriterRequest): WriterAnswer => {
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
});
