import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of a connection that may wait for the answers before theirs. */
export const MOST_WAITING = 16;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers one request of a connection at a time: the next is begun when the answer before has left. The runtime hands over all that a
 * caller sends at one go, and would keep an answer to each in memory. Whoever sends many and waits for none loses the connection.
 */
export function oneAtATime(answer: Answer): Answer {
  /** What waits on each connection that has an answer on its way. */
  const busy = new WeakMap<Socket, Parameters<Answer>[]>();

  function begin(socket: Socket, request: IncomingMessage, response: ServerResponse): void {
    response.once("close", () => next(socket));
    answer(request, response);
  }

  function next(socket: Socket): void {
    // With the connection, all its answers are closed.
    const [request, response] = busy.get(socket)?.shift() ?? [];
    if (request === undefined || response === undefined || response.destroyed) busy.delete(socket);
    else begin(socket, request, response);
  }

  return (request, response) => {
    const { socket } = request;
    const waiting = busy.get(socket);
    if (waiting === undefined) {
      busy.set(socket, []);
      begin(socket, request, response);
    } else if (waiting.length < MOST_WAITING) waiting.push([request, response]);
    else socket.destroy();
  };
}
