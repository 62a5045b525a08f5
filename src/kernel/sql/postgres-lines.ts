import type { SQL } from "bun";
import type { Clock } from "../../lib/clock.ts";
import { minutes, seconds } from "../../lib/duration.ts";
import { systemRandom } from "../../lib/random.ts";
import { type Ask, createAsker, PostgresSilent } from "./postgres-asker.ts";

const LOOK_EVERY_MS = seconds(1);
/** A question that is not answered for so long is looked at, and again after as long while the server is at work on it. */
const SILENT_MS = seconds(5);
/** What comes slowly may take so long. */
const SENDING_MS = minutes(2);
/** Nobody waits longer where the server answers no other connection either. */
const LOST_MS = seconds(20);
/** Or where it answers, but what it is at work on cannot be known: it takes no new connection, or a pooler has other names. */
const UNTOLD_MS = minutes(15);
/** So many looks in a row have to find that the server is not at work: the answer may be on its way. */
const LOOKS = 2;

/** What the server has to say of those of our connections that it knows. */
const STATES = `SELECT application_name AS name, CASE WHEN state LIKE 'idle%' THEN 'idle'
    WHEN wait_event_type = 'Client' THEN 'sending' ELSE 'at work' END AS state
  FROM pg_stat_activity WHERE left(application_name, length($1::text)) = $1::text AND backend_type = 'client backend'`;
/** Those that we have given up hold rows until somebody ends them. */
const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = ANY (string_to_array($1::text, ','))`;

/** What the server says it does for each of our connections: `untold` where it says nothing of them, `silent` where nothing at all. */
type States = Map<unknown, unknown> | "untold" | "silent";

/** One connection, which comes about with the first question; given to one user at a time. */
export class Line {
  readonly name: string;
  readonly client: SQL;
  isCut = false;
  /** How many questions wait for an answer, and since when nothing was heard of them. */
  private waiting = 0;
  private since = 0;
  private nextLook = 0;
  /** How many looks in a row found that the server is not at work for it. */
  private doubts = 0;
  private readonly clock: Pick<Clock, "monotonic">;

  constructor(name: string, client: SQL, clock: Pick<Clock, "monotonic">) {
    this.name = name;
    this.client = client;
    this.clock = clock;
  }

  /** Sends a question at once, and listens for its answer. */
  asked<T>(question: Promise<T>): Promise<T> {
    this.wait(1);
    return question.finally(() => this.wait(-1));
  }

  /** Part of a question during which nothing is waited for but what is asked in it. */
  async resting<T>(work: () => Promise<T>): Promise<T> {
    this.wait(-1);
    try {
      return await work();
    } finally {
      this.wait(1);
    }
  }

  /** Whether nothing was heard for so long that somebody should look. */
  isDue(): boolean {
    return this.waiting > 0 && this.clock.monotonic() >= this.nextLook;
  }

  /** Whether it is lost, by what the server says. */
  isLost(states: States): boolean {
    const now = this.clock.monotonic();
    const silence = now - this.since;
    if (states === "silent") return silence >= LOST_MS;
    if (states === "untold") return silence >= UNTOLD_MS;
    const state = states.get(this.name);
    const isAtWork = state === "at work" || (state === "sending" && silence < SENDING_MS);
    if (isAtWork) this.nextLook = now + SILENT_MS;
    this.doubts = isAtWork ? 0 : this.doubts + 1;
    return this.doubts >= LOOKS;
  }

  private wait(more: number): void {
    if (more < 0 || this.waiting === 0) {
      this.since = this.clock.monotonic();
      this.nextLook = this.since + SILENT_MS;
      this.doubts = 0;
    }
    this.waiting += more;
  }
}

/** The connections to PostgreSQL, as many as are used at once, and whoever looks after them. */
export interface Lines {
  /** Gives a connection to `work`. Throws PostgresSilent while the server is known not to answer. */
  use<T>(work: (line: Line) => Promise<T>): Promise<T>;
  /** Ends a connection: whoever waits for its answers hears that it is closed. */
  cut(line: Line): void;
  /** Over a connection that is not one of these. */
  ask: Ask;
  /** Waits for a few seconds for what is under way. */
  close(): Promise<void>;
}

/**
 * Keeps connections, and gives up those that went silent: a host that lost its power, or a firewall that forgot what it let through, ends
 * none, and the system waits for a quarter of an hour. A question may take long as long as the server is at work on it, which another
 * connection is asked; each has a name of its own for that. `open` opens one under a name.
 */
export function createLines(open: (name: string) => SQL, clock: Pick<Clock, "after" | "every" | "monotonic">): Lines {
  const stem = `orrery-${Math.floor(systemRandom() * 2 ** 32).toString(16)}-`;
  const watch = `${stem}watch`;
  const asker = createAsker(() => open(watch), clock);
  const idle: Line[] = [];
  const used = new Set<Line>();
  let count = 0;
  /** Those that were given up and may be open on the server. */
  const given = new Set<string>();
  /** The server says nothing to anybody. */
  let isAway = false;
  let isLooking = false;

  function cut(line: Line): void {
    if (line.isCut) return;
    line.isCut = true;
    given.add(line.name);
    void line.client.close({ timeout: 0 }).catch(() => {});
  }

  function add(): Line {
    const name = `${stem}${++count}`;
    return new Line(name, open(name), clock);
  }

  async function readStates(): Promise<States> {
    try {
      const rows = await asker.ask(STATES, [stem]);
      const states = new Map(rows.map(({ name, state }) => [name, state]));
      return states.has(watch) ? states : "untold";
    } catch (error) {
      return error instanceof Error && "errno" in error ? "untold" : "silent";
    }
  }

  async function look(): Promise<void> {
    if (!isAway && given.size === 0 && ![...used].some((line) => line.isDue())) return;
    const states = await readStates();
    if (states !== "silent") isAway = false;
    const lost = [...used].filter((line) => line.isDue() && line.isLost(states));
    if (lost.length > 0) {
      isAway = states === "silent";
      // Those that nobody uses went the same way, and would cost whoever comes next as long.
      for (const line of [...lost, ...idle.splice(0)]) cut(line);
    }
    if (states !== "silent") await endGiven();
  }

  async function endGiven(): Promise<void> {
    const names = [...given];
    if (names.length === 0) return;
    await asker.ask(END, [names.join(",")]);
    for (const name of names) given.delete(name);
  }

  const stop = clock.every(LOOK_EVERY_MS, () => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  });

  return {
    cut,
    ask: asker.ask,
    async use(work) {
      if (isAway) throw new PostgresSilent();
      const line = idle.pop() ?? add();
      used.add(line);
      try {
        return await work(line);
      } finally {
        used.delete(line);
        if (!line.isCut) idle.push(line);
      }
    },
    async close() {
      stop();
      await Promise.all([...used, ...idle].map(({ client }) => client.close({ timeout: 5 })));
      await asker.close();
    },
  };
}
