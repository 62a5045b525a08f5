import type { PanelConfig } from "../../config.ts";

/** How a request reached the panel. */
export interface Origin {
  request: Request;
  isHttps: boolean;
}

/** The address of the panel as people reach it: the one that is set, else that of the request. */
export function panelOrigin(config: Pick<PanelConfig, "public_url">, { request, isHttps }: Origin): string {
  if (config.public_url !== "") return config.public_url;
  const told = request.headers.get("host") ?? "";
  const host = /^[A-Za-z0-9.:[\]-]{1,255}$/.test(told) ? told : "localhost";
  return `${isHttps ? "https" : "http"}://${host}`;
}

/** Where a provider sends people back to: another address for each connector, so that no answer passes for that of another. */
export const redirectUri = (origin: string, id: string): string => `${origin}/api/sso/${id}/callback`;

/** Where the browser goes on from a provider of SAML, on a path of this dashboard. */
export const finishPath = (id: string): string => `/api/sso/${id}/finish`;

/** What a provider of SAML knows us by: our name, which is where our metadata stands, and where its answers come. */
export const samlAddresses = (origin: string, id: string) => ({
  entity_id: `${origin}/api/sso/${id}/metadata`,
  acs_url: `${origin}/api/sso/${id}/acs`,
});

/** Where people begin. */
export const startPath = (id: string): string => `/api/sso/${id}/start`;

/** A path of this dashboard, whatever was asked for: nobody is sent elsewhere. */
export function ownPath(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,1000}$/.test(asked) ? asked : "/";
}
