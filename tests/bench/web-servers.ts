import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../kit/free-port.ts";
import { until } from "../kit/until.ts";

/** A server of Debian that is compared with, and the folder that it serves. */
export interface WebServer {
  url: string;
  folder: string;
  stop(): Promise<void>;
}

async function run(argv: readonly string[], url: string, folder: string): Promise<WebServer> {
  const child = Bun.spawn([...argv], { stdout: "ignore", stderr: "inherit" });
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(isUp, { timeoutMs: 20_000, what: `${argv[0]} to answer` });
  return {
    url,
    folder,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

function makeFolders(work: string): { folder: string; logs: string } {
  const [folder, logs] = [join(work, "files"), join(work, "logs")];
  for (const each of [folder, logs]) mkdirSync(each, { recursive: true });
  return { folder, logs };
}

/** nginx with two workers, which reads files as fast as the kernel sends them. */
export function startNginx(work: string): Promise<WebServer> {
  const { folder, logs } = makeFolders(work);
  const port = freePort();
  const config = join(work, "nginx.conf");
  writeFileSync(
    config,
    `user root; worker_processes 2; pid ${work}/pid; daemon off; error_log ${logs}/error;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  client_body_temp_path ${logs}/b; proxy_temp_path ${logs}/p; fastcgi_temp_path ${logs}/f; uwsgi_temp_path ${logs}/u;
  scgi_temp_path ${logs}/s;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`,
  );
  return run(["nginx", "-p", work, "-c", config], `http://127.0.0.1:${port}/`, folder);
}

/** Apache with mod_dav. With `waits`, its folder is one whose files are on disk before a write of them returns. */
export async function startApache(work: string, waits: boolean): Promise<WebServer> {
  const { folder, logs } = makeFolders(work);
  const port = freePort();
  const config = join(work, "apache.conf");
  const modules = ["mpm_event", "authz_core", "dav", "dav_fs", "dav_lock"];
  writeFileSync(
    config,
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
ServerRoot ${work}
ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${work}/pid
ErrorLog ${logs}/error
DocumentRoot ${folder}
DavLockDB ${logs}/locks
MaxKeepAliveRequests 0
StartServers 2
<Directory ${folder}>
  Require all granted
  Dav On
</Directory>
`,
  );
  for (const each of [folder, logs]) await ask(["chown", "www-data", each]);
  if (waits) await ask(["chattr", "+S", folder]);
  return await run(["apache2", "-d", work, "-f", config, "-DFOREGROUND"], `http://127.0.0.1:${port}/`, folder);
}

async function ask(argv: readonly string[]): Promise<void> {
  if ((await Bun.spawn([...argv], { stdout: "ignore", stderr: "inherit" }).exited) !== 0)
    throw new Error(`${argv.join(" ")} failed`);
}
