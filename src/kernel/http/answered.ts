const listeners = new WeakMap<Request, (status: number) => void>();

/** Has `listener` told the HTTP status that a request was answered with, once it was. */
export const onAnswered = (request: Request, listener: (status: number) => void): unknown =>
  listeners.set(request, listener);

/** Tells whoever wants to know how a request was answered. */
export const tellAnswered = (request: Request, status: number): void => listeners.get(request)?.(status);
