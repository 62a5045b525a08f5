/**
 * Loaded before tests (`--preload`): Elysia has the runtime collect its garbage each time that it has built a router, which pays for
 * a server and costs a run that builds thousands of them. Collections that a test itself waits for are made.
 */
const { gc } = Bun;
Bun.gc = (isAwaited) => (isAwaited === true ? gc(true) : undefined);
