/** The baseline: a program of the same runtime that answers every request with the bytes of one file. */
const [file = "", type = "application/json;charset=utf-8"] = process.argv.slice(2);
const body = await Bun.file(file).text();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(body, { headers: { "content-type": type } }),
});
process.stdout.write(`${JSON.stringify({ msg: "listening", url: `http://127.0.0.1:${server.port}` })}\n`);
