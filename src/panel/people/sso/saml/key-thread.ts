/** The program of the thread that makes keys of connectors. */
import { answerQuestions } from "../../../../kernel/thread.ts";
import { makeOwnKey, type OwnKey } from "./own-key.ts";

answerQuestions((now: number): OwnKey => makeOwnKey(now));
