import { type InEach, sayNumber } from "../../languages.ts";

/** What happened to the ways into an account, as letters tell it. */
export const CHANGES = ["added", "removed", "reset", "claimed", "recovery_code"] as const;
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
      claimed: "Ways into your Orrery account that were not proven to be yours were removed",
      recovery_code: "A recovery code of your Orrery account was used",
    },
    body: {
      added: `${key || "An authenticator app"} can finish a sign-in to your account from now on.`,
      removed: `${key || "The authenticator app"} no longer opens your account.`,
      reset:
        "whoever runs this panel took every second factor off your account. Add one again under Security of your account.",
      claimed:
        "somebody who holds a link to your account got in by it. Nobody had shown before that this address is theirs, so everything that was added until then was taken off: passkeys, keys, the authenticator app, recovery codes, linked sign-ins and sessions. Add yours again under Security of your account.",
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
      claimed: "Nicht bestätigte Zugänge zu Ihrem Orrery-Konto wurden entfernt",
      recovery_code: "Ein Wiederherstellungscode Ihres Orrery-Kontos wurde verwendet",
    },
    body: {
      added: `ab jetzt lässt sich die Anmeldung bei Ihrem Konto auch damit abschließen: ${key || "Authenticator-App"}.`,
      removed: `damit lässt sich Ihr Konto nicht mehr öffnen: ${key || "Authenticator-App"}.`,
      reset:
        "die Verantwortlichen dieses Panels haben alle zweiten Faktoren von Ihrem Konto entfernt. Fügen Sie unter „Security“ wieder einen hinzu.",
      claimed:
        "jemand ist über einen Link in Ihr Konto gelangt. Bis dahin hatte niemand gezeigt, dass diese Adresse ihm gehört. Deshalb wurde alles entfernt, was vorher hinzugefügt worden war: Passkeys, Sicherheitsschlüssel, Authenticator-App, Wiederherstellungscodes, verknüpfte Anmeldungen und Sitzungen. Fügen Sie Ihre eigenen unter „Security“ wieder hinzu.",
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
      claimed: "Des accès non confirmés à votre compte Orrery ont été retirés",
      recovery_code: "Un code de secours de votre compte Orrery a été utilisé",
    },
    body: {
      added: `La connexion à votre compte peut désormais se terminer aussi par ce moyen : ${key || "application d’authentification"}.`,
      removed: `Ce moyen ne permet plus de se connecter à votre compte : ${key || "application d’authentification"}.`,
      reset:
        "La personne qui gère ce panneau a retiré tous les seconds facteurs de votre compte. Ajoutez-en un à nouveau sous « Security ».",
      claimed:
        "Quelqu’un est entré dans votre compte par un lien. Personne n’avait montré auparavant que cette adresse est la sienne. Tout ce qui avait été ajouté jusque-là a donc été retiré : clés d’accès, clés de sécurité, application d’authentification, codes de secours, connexions liées et sessions. Ajoutez à nouveau les vôtres sous « Security ».",
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
      claimed: "Se han quitado accesos no confirmados a su cuenta de Orrery",
      recovery_code: "Se ha usado un código de recuperación de su cuenta de Orrery",
    },
    body: {
      added: `A partir de ahora, el inicio de sesión en su cuenta también se puede completar con este medio: ${key || "aplicación de autenticación"}.`,
      removed: `Este medio ya no permite iniciar sesión en su cuenta: ${key || "aplicación de autenticación"}.`,
      reset:
        "Quien administra este panel ha quitado todos los segundos factores de su cuenta. Añada uno de nuevo en «Security».",
      claimed:
        "Alguien ha entrado en su cuenta con un enlace. Hasta entonces nadie había demostrado que esta dirección fuera suya, así que se ha quitado todo lo añadido antes: claves de acceso, llaves de seguridad, aplicación de autenticación, códigos de recuperación, inicios de sesión vinculados y sesiones. Añada de nuevo los suyos en «Security».",
      recovery_code: `Alguien ha iniciado sesión con su frase de contraseña y un código de recuperación. ${left === 1 ? "Queda un código" : `Quedan ${sayNumber("es", left)} códigos`}.`,
    },
    label: "Ver su cuenta",
    from: `La acción se hizo desde ${ip}.`,
    warning:
      "Si no ha sido usted, elija enseguida una nueva frase de contraseña y avise a quien administra este panel.",
  }),
};
