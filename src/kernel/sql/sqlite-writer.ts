/** The thread that owns the writing connection: it runs one statement after the other, in the order they come. */
import type { Database } from "bun:sqlite";
import { closeDatabase, openDatabase } from "../db/open.ts";
import { answerQuestions } from "../thread.ts";
import type { WriterAnswer, WriterRequest } from "./sqlite-messages.ts";
import { createStatements, type Statements } from "./sqlite-statements.ts";

let db: Database | null = null;
let statementOf: Statements | null = null;

answerQuestions((request: WriterRequest): WriterAnswer => {
  if (request.do === "open") {
    db = openDatabase(request.path, request.durability);
    statementOf = createStatements(db);
    return { rows: [], changes: 0 };
  }
  if (!(db && statementOf)) throw new Error("the database is not open");
  switch (request.do) {
    case "all":
      return { rows: statementOf(request.sql).all(...(request.values as never[])), changes: 0 };
    case "run":
      return { rows: [], changes: statementOf(request.sql).run(...(request.values as never[])).changes };
    case "script":
      db.run(request.sql);
      return { rows: [], changes: 0 };
    case "close":
      closeDatabase(db);
      db = null;
      statementOf = null;
      return { rows: [], changes: 0 };
  }
});
