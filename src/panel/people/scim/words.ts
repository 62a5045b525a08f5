import type { NoticeWords } from "../../event-meaning.ts";
import type { InEach } from "../../languages.ts";

/** That a token of a directory is paused, by its name. */
export const PAUSED: InEach<(name: string) => NoticeWords> = {
  en: (name) => ({
    title: `The directory with the token ${name} is refused`,
    body: "Whoever answers for the token is no owner or admin any more, so it brings nobody in and takes nobody out. Take it over under Settings, Directory, or delete it.",
  }),
  de: (name) => ({
    title: `Das Verzeichnis mit dem Token ${name} wird abgewiesen`,
    body: "Wer für das Token einsteht, ist nicht mehr Eigentümer oder Admin. Bis auf Weiteres bringt es niemanden herein und nimmt niemanden heraus. Übernehmen Sie es unter Einstellungen, Verzeichnis, oder löschen Sie es.",
  }),
  fr: (name) => ({
    title: `L’annuaire muni du jeton ${name} est refusé`,
    body: "La personne qui répond de ce jeton n’est plus ni propriétaire ni administratrice : il ne fait plus entrer ni sortir personne. Reprenez-le dans Réglages, Annuaire, ou supprimez-le.",
  }),
  es: (name) => ({
    title: `Se rechaza el directorio con el token ${name}`,
    body: "Quien responde del token ya no es propietario ni administrador, así que no da ni quita acceso a nadie. Asúmalo en Ajustes, Directorio, o elimínelo.",
  }),
};
