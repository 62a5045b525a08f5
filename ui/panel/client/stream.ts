import { followStream as follow, type StreamOptions } from "../../client/sse.ts";
import { access } from "./api.ts";

/** Follows a stream of the panel until the returned function is called; see the shared one for what happens after breaks. */
export function followStream(url: string, options: StreamOptions): () => void {
  return follow(url, access, options);
}
