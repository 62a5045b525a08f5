import type { FunctionComponent } from "preact";
import { AppSettings } from "./apps/apps/app-settings.tsx";
import { ServerNameCard } from "./platform/settings/server-name-card.tsx";

/** What administrators choose about this server, as cards of the settings page; loaded with that page alone, like those of the security page. */
export const settingsCards: FunctionComponent[] = [ServerNameCard, AppSettings];
