import type { LetterText } from "../../base.ts";
import { greet, type InEach, type Language } from "../../languages.ts";

type Words = Pick<LetterText, "subject" | "footer"> & { body: string };

const TEST: InEach<(origin: string) => Words> = {
  en: (origin) => ({
    subject: "Orrery can send mail",
    body: "this is the test that was asked for. Whatever the panel sends by mail will reach this address.",
    footer: `Sent by the panel at ${origin}.`,
  }),
  de: (origin) => ({
    subject: "Orrery kann E-Mails verschicken",
    body: "dies ist die Testnachricht, die angefordert wurde. Was das Panel per E-Mail verschickt, kommt unter dieser Adresse an.",
    footer: `Verschickt vom Panel unter ${origin}.`,
  }),
  fr: (origin) => ({
    subject: "Orrery peut envoyer des e-mails",
    body: "Voici le message d’essai demandé. Tout ce que le panneau envoie par e-mail arrivera à cette adresse.",
    footer: `Envoyé par le panneau ${origin}.`,
  }),
  es: (origin) => ({
    subject: "Orrery puede enviar correo",
    body: "Este es el mensaje de prueba que se ha pedido. Todo lo que el panel envíe por correo llegará a esta dirección.",
    footer: `Enviado por el panel ${origin}.`,
  }),
};

/** The letter that proves that letters arrive. */
export function writeTest(language: Language, origin: string): LetterText {
  const { subject, body, footer } = TEST[language](origin);
  return { language, workspace: "", subject, greeting: greet(language), paragraphs: [body], action: null, footer };
}
