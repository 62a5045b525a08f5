import type { CheckError } from "../contract.ts";
import { registryOf, shortName } from "./image-name.ts";

type Words = Omit<CheckError, "code">;

const ADD_LOGIN = "under Containers, Images";

/** Why a registry did not say whether there is a newer image, and what to do. */
export function explainFailure(code: string, reference: string, withLogin: boolean): CheckError {
  return { code, ...wordsFor(code, shortName(reference), registryOf(reference), withLogin) };
}

function wordsFor(code: string, image: string, registry: string, withLogin: boolean): Words {
  switch (code) {
    case "registry_rate_limit":
      return {
        message: `${registry} has had too many questions from this server's address.`,
        next_step: withLogin
          ? "It is asked again after a day."
          : `It is asked again after a day. With a login, added ${ADD_LOGIN}, most registries allow more.`,
      };
    case "registry_unreachable":
      return {
        message: `${registry} cannot be reached from this server.`,
        next_step: "It is asked again by itself, less often each time. Check the server's network and name resolution.",
      };
    case "image_forbidden":
      return withLogin
        ? {
            message: `The login that is kept for ${registry} does not get ${image}.`,
            next_step: `Test it ${ADD_LOGIN}, and replace it where it does not work.`,
          }
        : {
            message: `${registry} does not give ${image} to everybody, and there is no login for it here.`,
            next_step: `Add a login for ${registry} ${ADD_LOGIN}, then check again.`,
          };
    case "image_not_found":
      return {
        message: `${registry} does not have ${image} any more.`,
        next_step: "The name was removed or changed: look for the one that takes its place.",
      };
    case "image_wrong_arch":
      return {
        message: `The newer ${image} does not exist for the processor that the container runs on.`,
        next_step: "Stay with the present image, or choose another name.",
      };
    case "registry_refused":
      return {
        message: `${registry} leads to a link-local or metadata address, which is not called.`,
        next_step: "Look where its name leads.",
      };
    default:
      return {
        message: `${registry} did not say what ${image} stands for.`,
        next_step: "It is asked again after a day.",
      };
  }
}
