import { afterAll, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { setBase } from "../../client/base.ts";
import { completeSignIn, goOnAs, left, refuseLeft, signOut, startSession, user } from "./session.ts";

const real = { fetch: globalThis.fetch, localStorage: globalThis.localStorage, document: globalThis.document };
afterAll(() => {
  setBase("");
  Object.assign(globalThis, real);
});

const OWN = "/~a-key_of22characters00";
/** Whose refresh tokens the browser holds: the page's own, and in cookies of all paths. */
let jar: { own: string | null; plain: string | null };
let hint: string;

const who = (token: string | null) => Response.json({ id: token, username: token, role: "admin", locked: false });
const refused = () => Response.json({ code: "no", message: "No." }, { status: 401 });

/** Answers as the node does; a token is the name of its account. */
function answer(url: string, { method = "GET", headers, body }: RequestInit = {}): Response {
  const isOwn = url.startsWith(OWN);
  const path = isOwn ? url.slice(OWN.length) : url;
  const place = isOwn ? "own" : "plain";
  const bearer = new Headers(headers).get("authorization")?.slice("Bearer ".length);
  if (path === "/api/auth/lock-info") return Response.json({ setup_required: false });
  if (path === "/api/auth/me") return (bearer ?? jar[place]) === null ? refused() : who(bearer ?? jar[place]);
  if (path === "/api/auth/logout") {
    jar[place] = null;
    hint = "";
    return Response.json({});
  }
  if (`${method} ${path}` !== "POST /api/auth/refresh") return Response.json({}, { status: 404 });
  const token: string | null = JSON.parse(String(body ?? "{}")).refresh_token ?? jar[place];
  if (token === null) return refused();
  jar[place] = token;
  if (isOwn) jar.plain = null;
  hint = isOwn ? "x~" : "x";
  return Response.json({ access_token: token, refresh_token: token });
}

beforeEach(() => {
  const kept = new Map<string, string>();
  jar = { own: null, plain: null };
  hint = "";
  setBase(OWN);
  const fetch = async (url: unknown, init?: RequestInit) => answer(String(url), init);
  const document = {
    get cookie() {
      return hint === "" ? "" : `signed_in=${hint}`;
    },
    set cookie(text: string) {
      hint = /signed_in=([^;]*)/.exec(text)?.[1] ?? hint;
    },
  };
  const localStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  };
  Object.assign(globalThis, { fetch, document, localStorage });
  user.value = undefined;
  left.value = null;
});

/** A moment after all that happened so far, as what is noted is compared by the clock. */
async function later(): Promise<void> {
  const before = Date.now();
  while (Date.now() - before < 2) await Bun.sleep(0);
}
async function open(): Promise<void> {
  await later();
  user.value = undefined;
  left.value = null;
  await startSession();
}
async function signIn(name: string): Promise<void> {
  await later();
  jar.own = name;
  hint = "x~";
  await completeSignIn(undefined);
}
/** What an app of the server can do: away with all cookies, and others left in their place. */
function leave(name: string): void {
  jar = { own: null, plain: name };
  hint = "x";
}

test("what a link left is taken over where nobody was before, and for whoever was here last", async () => {
  leave("ada");
  await open();
  expect([user.value?.id, left.value, jar]).toEqual(["ada", null, { own: "ada", plain: null }]);
  await signOut();
  leave("ada");
  await open();
  expect(user.value?.id).toBe("ada");
});

test("what is of another account is asked about, and taken over or ended as the answer is", async () => {
  await signIn("ada");
  leave("eve");
  for (let time = 0; time < 2; time++) {
    await open();
    expect([user.value, left.value?.name, jar.own]).toEqual([null, "eve", null]);
  }
  await goOnAs({ id: "eve", name: "eve" });
  expect([user.value?.id, left.value, jar]).toEqual(["eve", null, { own: "eve", plain: null }]);
  leave("ada");
  await open();
  await refuseLeft({ since: performance.now() });
  expect([user.value, left.value, jar]).toEqual([null, null, { own: null, plain: null }]);
});

test("a yes is for the account that was asked about", async () => {
  await signIn("ada");
  leave("eve");
  await open();
  leave("mallory");
  await goOnAs({ id: "eve", name: "eve" });
  expect([user.value, left.value?.name, jar.own]).toEqual([null, "mallory", null]);
});

test("an answer that comes after another tab has signed in leaves that one noted", async () => {
  await signIn("ada");
  leave("eve");
  await open();
  const since = left.value?.since ?? 0;
  await signIn("ada");
  await refuseLeft({ since });
  await open();
  expect(user.value?.id).toBe("ada");
});

test("where it is not known who was signed in, but that somebody was, it is asked too", async () => {
  globalThis.localStorage.setItem("orrery.session", JSON.stringify({ is: true, at: 0 }));
  leave("eve");
  await open();
  expect([user.value, left.value?.name]).toEqual([null, "eve"]);
});

test("nobody but who signed in here, or was agreed to, is ever somebody here after the first", async () => {
  const name = fc.constantFrom("ada", "eve", "mallory");
  const step = fc.oneof(
    fc.record({ does: fc.constantFrom("sign in", "leave"), name }),
    fc.record({ does: fc.constantFrom("open", "yes", "no", "sign out"), name: fc.constant("") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await signIn("owner");
      let wanted = "owner";
      for (const { does, name } of steps) {
        const asked = left.value;
        if (does === "sign in") {
          wanted = name;
          await signIn(name);
        } else if (does === "leave") leave(name);
        else if (does === "open") await open();
        else if (does === "sign out") await signOut();
        else if (asked !== null && does === "no") await refuseLeft(asked);
        else if (asked !== null) {
          wanted = asked.id;
          await goOnAs(asked);
        }
        expect([null, wanted]).toContain(user.value?.id ?? null);
        expect([null, wanted]).toContain(jar.own);
      }
    }),
    { numRuns: 100 },
  );
});
