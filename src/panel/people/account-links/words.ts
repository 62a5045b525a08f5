import type { InEach } from "../../languages.ts";

/** What the letter says that leads back into an account. */
export interface ResetWords {
  subject: string;
  paragraphs: readonly string[];
  label: string;
  footer: string;
}

/** `ip` is where it was asked for from. */
export const RESET: InEach<(ip: string) => ResetWords> = {
  en: (ip) => ({
    subject: "Choose a new passphrase for Orrery",
    paragraphs: [
      "somebody asked for a way back into your account. If it was you, choose a new passphrase; every session of the account ends then.",
      "The link is good once, for an hour.",
    ],
    label: "Choose a passphrase",
    footer: `Asked for from ${ip}. If it was not you, do nothing: without the link your passphrase stays as it is.`,
  }),
  de: (ip) => ({
    subject: "Neue Passphrase für Orrery wählen",
    paragraphs: [
      "jemand hat angefordert, wieder Zugang zu Ihrem Konto zu erhalten. Wenn Sie das waren, wählen Sie eine neue Passphrase; alle Sitzungen des Kontos werden dann beendet.",
      "Der Link ist eine Stunde gültig und lässt sich nur einmal verwenden.",
    ],
    label: "Passphrase wählen",
    footer: `Angefordert von ${ip}. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne den Link bleibt Ihre Passphrase, wie sie ist.`,
  }),
  fr: (ip) => ({
    subject: "Choisissez une nouvelle phrase secrète pour Orrery",
    paragraphs: [
      "Quelqu’un a demandé à retrouver l’accès à votre compte. Si c’est vous, choisissez une nouvelle phrase secrète ; toutes les sessions du compte seront alors fermées.",
      "Le lien est valable une heure et ne peut servir qu’une fois.",
    ],
    label: "Choisir une phrase secrète",
    footer: `Demande envoyée depuis ${ip}. Si ce n’est pas vous, ne faites rien : sans le lien, votre phrase secrète ne change pas.`,
  }),
  es: (ip) => ({
    subject: "Elija una nueva frase de contraseña para Orrery",
    paragraphs: [
      "Alguien ha pedido recuperar el acceso a su cuenta. Si ha sido usted, elija una nueva frase de contraseña; entonces se cerrarán todas las sesiones de la cuenta.",
      "El enlace es válido durante una hora y solo se puede usar una vez.",
    ],
    label: "Elegir la frase de contraseña",
    footer: `Solicitado desde ${ip}. Si no ha sido usted, no haga nada: sin el enlace, su frase de contraseña no cambia.`,
  }),
};
