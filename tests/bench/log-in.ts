/** A client of its own process: `log-in.ts URL COUNT` signs the owner in so many times at once, each from its own address. */
import { setPriority } from "node:os";
import { OWNER } from "../kit/client.ts";

const [url = "", count = "0"] = process.argv.slice(2);

async function logIn(index: number): Promise<void> {
  const headers = { "content-type": "application/json", "x-forwarded-for": `10.0.0.${index}` };
  const response = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body: JSON.stringify(OWNER) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`a login answered ${response.status}`);
}

// Those who sign in do it from machines of their own: what their side computes must not be in the figure.
setPriority(19);
await Promise.all(Array.from({ length: Number(count) }, (_, index) => logIn(index)));
