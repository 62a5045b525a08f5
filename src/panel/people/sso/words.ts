import type { NoticeWords } from "../../event-meaning.ts";
import { type InEach, sayDay } from "../../languages.ts";

/** A certificate of the provider `name` that ends at `at` (milliseconds), or has; `follows` where its metadata is looked at by itself. */
interface Ending {
  name: string;
  at: number;
  isOver: boolean;
  follows: boolean;
}

/** What those who set the sign-in up have to do before the provider signs with a key that nobody here believes. */
export const ENDING: InEach<(ending: Ending) => NoticeWords> = {
  en: ({ name, at, isOver, follows }) => ({
    title: `The certificate of ${name} ${isOver ? "ended" : "ends"} on ${sayDay("en", at)}`,
    body: `Nobody is kept out by that alone, but as soon as the provider signs with another one, nobody gets in through it. ${
      follows
        ? "Its metadata is looked at once a day, and the next one is not there yet. Ask whoever runs the provider when it comes."
        : "Get the next one from the provider and add it on the page of single sign-on: both are believed until the former one is taken out."
    }`,
  }),
  de: ({ name, at, isOver, follows }) => ({
    title: isOver
      ? `Das Zertifikat von ${name} ist am ${sayDay("de", at)} abgelaufen`
      : `Das Zertifikat von ${name} läuft am ${sayDay("de", at)} ab`,
    body: `Das allein sperrt niemanden aus. Sobald der Anbieter aber mit einem anderen signiert, kann sich über ihn niemand mehr anmelden. ${
      follows
        ? "Seine Metadaten werden einmal am Tag abgerufen, und das nächste steht noch nicht darin. Fragen Sie beim Anbieter nach, wann es kommt."
        : "Lassen Sie sich vom Anbieter das nächste geben und fügen Sie es auf der Seite „Single sign-on“ hinzu: Beide gelten, bis das alte entfernt wird."
    }`,
  }),
  fr: ({ name, at, isOver, follows }) => ({
    title: `Le certificat de ${name} ${isOver ? "a expiré" : "expire"} le ${sayDay("fr", at)}`,
    body: `Cela n’empêche encore personne de se connecter, mais dès que le fournisseur signera avec un autre certificat, plus personne ne pourra se connecter par son intermédiaire. ${
      follows
        ? "Ses métadonnées sont lues une fois par jour, et le suivant n’y est pas encore. Demandez au fournisseur quand il sera disponible."
        : "Demandez le suivant au fournisseur et ajoutez-le sur la page « Single sign-on » : les deux sont acceptés jusqu’au retrait de l’ancien."
    }`,
  }),
  es: ({ name, at, isOver, follows }) => ({
    title: `El certificado de ${name} ${isOver ? "caducó" : "caduca"} el ${sayDay("es", at)}`,
    body: `Eso por sí solo no deja fuera a nadie, pero en cuanto el proveedor firme con otro, nadie podrá iniciar sesión a través de él. ${
      follows
        ? "Sus metadatos se consultan una vez al día y el siguiente aún no está. Pregunte al proveedor cuándo estará disponible."
        : "Pida el siguiente al proveedor y añádalo en la página «Single sign-on»: se aceptan ambos hasta que se quite el anterior."
    }`,
  }),
};
