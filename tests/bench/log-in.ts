/**
 * A client of its own process: `log-in.ts URL COUNT` signs the owner in so many times at once, each from its own address. It asks for what
 * the sign-in page asks for, says `ready`, and begins with the first line that it reads.
 */
import { OWNER } from "../kit/client.ts";

const [url = "", count = "0"] = process.argv.slice(2);

const people = Array.from({ length: Number(count) }, (_, index) => index);

async function openPage(): Promise<void> {
  await (await fetch(`${url}/api/auth/cp-status`)).arrayBuffer();
}

async function logIn(index: number): Promise<void> {
  const headers = { "content-type": "application/json", "x-forwarded-for": `10.0.0.${index}` };
  const response = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body: JSON.stringify(OWNER) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`a login answered ${response.status}`);
}

await Promise.all(people.map(openPage));
process.stdout.write("ready\n");
for await (const _ of console) break;
await Promise.all(people.map(logIn));
