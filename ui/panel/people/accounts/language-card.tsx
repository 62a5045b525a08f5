import { asProblem } from "../../../client/problem.ts";
import { Card } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { type Language, languageChoices, languageNames } from "../../parts/languages.ts";

/** What letters to the caller are written in. */
export function LanguageCard() {
  const state = useResource("GET /api/auth/language");
  const choose = async (language: Language | null): Promise<void> => {
    try {
      const next = await api("PUT /api/auth/language", { body: { language } });
      state.set(() => next);
      toast(`Letters come in ${languageNames[next.language ?? next.otherwise]} now.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      await state.refresh();
    }
  };
  return (
    <Card title="Language of letters" aside="in all your workspaces" w={6}>
      <div class="card-b stack">
        <Loaded of={state} what="Language">
          {({ language, otherwise }) => (
            <Select
              label="Language of letters"
              value={language ?? ""}
              options={languageChoices(`The workspace’s (${languageNames[otherwise]})`)}
              onValue={(value) => void choose(value === "" ? null : value)}
            />
          )}
        </Loaded>
        <p class="t13 c3">What this panel sends you by mail is written in it. The pages are in English.</p>
      </div>
    </Card>
  );
}
