import type { Container } from "../../../../src/node/apps/containers/contract.ts";
import { portUrl, portWords } from "./words.ts";

/** Ports, those that this browser can open as links; the first `limit` of them. */
export function Ports({ ports, limit }: { ports: Container["ports"]; limit: number }) {
  const published = ports.filter(({ host }) => host !== null);
  if (published.length === 0) return <span class="c3">None</span>;
  return (
    <span class="row ctports">
      {published.slice(0, limit).map((port) => {
        const url = portUrl(port);
        const key = `${port.bind} ${port.host} ${port.protocol}`;
        return url === null ? (
          <span key={key} title={port.bind === "127.0.0.1" ? "On this server only" : undefined}>
            {portWords(port)}
          </span>
        ) : (
          <a key={key} class="link" href={url} target="_blank" rel="noopener noreferrer">
            {portWords(port)}
          </a>
        );
      })}
      {published.length > limit && <span class="c3">{`and ${published.length - limit} more`}</span>}
    </span>
  );
}
