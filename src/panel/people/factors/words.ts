import { type InEach, sayNumber } from "../../languages.ts";

/** What happened to the ways into an account, as letters tell it. */
export const CHANGES = ["added", "removed", "reset", "recovery_code"] as const;
export type Change = (typeof CHANGES)[number];

/** What a change is about: the name that somebody gave a key, empty for the app with codes; and the recovery codes that are left. */
interface About {
  key: string;
  left: number;
}

interface Words {
  subject: Record<Change, string>;
  body: Record<Change, string>;
  label: string;
  from: string;
  warning: string;
}

/** `ip` is where it came from; `from` says so. */
export const FACTOR_WORDS: InEach<(about: About, ip: string) => Words> = {
  en: ({ key, left }, ip) => ({
    subject: {
      added: "A second factor was added to your Orrery account",
      removed: "A second factor was removed from your Orrery account",
      reset: "The second factors of your Orrery account were removed",
      recovery_code: "A recovery code of your Orrery account was used",
    },
    body: {
      added: `${key || "An authenticator app"} can finish a sign-in to your account from now on.`,
      removed: `${key || "The authenticator app"} no longer opens your account.`,
      reset:
        "whoever runs this panel took every second factor off your account. Add one again under Security of your account.",
      recovery_code: `somebody signed in with your passphrase and a recovery code. ${left === 1 ? "One code is" : `${sayNumber("en", left)} codes are`} left.`,
    },
    label: "Look at your account",
    from: `It came from ${ip}.`,
    warning: "If it was not you, choose a new passphrase at once and tell whoever runs this panel.",
  }),
  de: ({ key, left }, ip) => ({
    subject: {
      added: "Ihrem Orrery-Konto wurde ein zweiter Faktor hinzugefügt",
      removed: "Ein zweiter Faktor Ihres Orrery-Kontos wurde entfernt",
      reset: "Die zweiten Faktoren Ihres Orrery-Kontos wurden entfernt",
      recovery_code: "Ein Wiederherstellungscode Ihres Orrery-Kontos wurde verwendet",
    },
    body: {
      added: `ab jetzt lässt sich die Anmeldung bei Ihrem Konto auch damit abschließen: ${key || "Authenticator-App"}.`,
      removed: `damit lässt sich Ihr Konto nicht mehr öffnen: ${key || "Authenticator-App"}.`,
      reset:
        "die Verantwortlichen dieses Panels haben alle zweiten Faktoren von Ihrem Konto entfernt. Fügen Sie unter „Security“ wieder einen hinzu.",
      recovery_code: `jemand hat sich mit Ihrer Passphrase und einem Wiederherstellungscode angemeldet. ${left === 1 ? "Ein Code ist" : `${sayNumber("de", left)} Codes sind`} noch übrig.`,
    },
    label: "Konto ansehen",
    from: `Das geschah von ${ip} aus.`,
    warning:
      "Wenn Sie das nicht waren, wählen Sie sofort eine neue Passphrase und informieren Sie die Verantwortlichen dieses Panels.",
  }),
  fr: ({ key, left }, ip) => ({
    subject: {
      added: "Un second facteur a été ajouté à votre compte Orrery",
      removed: "Un second facteur a été retiré de votre compte Orrery",
      reset: "Les seconds facteurs de votre compte Orrery ont été retirés",
      recovery_code: "Un code de secours de votre compte Orrery a été utilisé",
    },
    body: {
      added: `La connexion à votre compte peut désormais se terminer aussi par ce moyen : ${key || "application d’authentification"}.`,
      removed: `Ce moyen ne permet plus de se connecter à votre compte : ${key || "application d’authentification"}.`,
      reset:
        "La personne qui gère ce panneau a retiré tous les seconds facteurs de votre compte. Ajoutez-en un à nouveau sous « Security ».",
      recovery_code: `Quelqu’un s’est connecté avec votre phrase secrète et un code de secours. Il reste ${sayNumber("fr", left)} code${left < 2 ? "" : "s"}.`,
    },
    label: "Voir votre compte",
    from: `L’action a été effectuée depuis ${ip}.`,
    warning:
      "Si ce n’est pas vous, choisissez tout de suite une nouvelle phrase secrète et prévenez la personne qui gère ce panneau.",
  }),
  es: ({ key, left }, ip) => ({
    subject: {
      added: "Se ha añadido un segundo factor a su cuenta de Orrery",
      removed: "Se ha quitado un segundo factor de su cuenta de Orrery",
      reset: "Se han quitado los segundos factores de su cuenta de Orrery",
      recovery_code: "Se ha usado un código de recuperación de su cuenta de Orrery",
    },
    body: {
      added: `A partir de ahora, el inicio de sesión en su cuenta también se puede completar con este medio: ${key || "aplicación de autenticación"}.`,
      removed: `Este medio ya no permite iniciar sesión en su cuenta: ${key || "aplicación de autenticación"}.`,
      reset:
        "Quien administra este panel ha quitado todos los segundos factores de su cuenta. Añada uno de nuevo en «Security».",
      recovery_code: `Alguien ha iniciado sesión con su frase de contraseña y un código de recuperación. ${left === 1 ? "Queda un código" : `Quedan ${sayNumber("es", left)} códigos`}.`,
    },
    label: "Ver su cuenta",
    from: `La acción se hizo desde ${ip}.`,
    warning:
      "Si no ha sido usted, elija enseguida una nueva frase de contraseña y avise a quien administra este panel.",
  }),
};
