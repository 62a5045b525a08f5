import { asProblem } from "../../../client/problem.ts";
import { Card } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { type Language, languageChoices, languageNames } from "../../parts/languages.ts";

/** What the workspace writes in. */
export function LanguageCard() {
  const settings = useResource("GET /api/v1/workspace/settings");
  const choose = async (language: Language | null): Promise<void> => {
    try {
      const next = await api("PUT /api/v1/workspace/settings", { body: { language } });
      settings.set(() => next);
      toast(
        language === null ? "Each is written to as their browser asks." : `It writes ${languageNames[language]} now.`,
      );
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      await settings.refresh();
    }
  };
  return (
    <Card title="Language" class="start" w={6}>
      <div class="card-b stack">
        <Loaded of={settings} what="Language">
          {({ language }) => (
            <Select
              label="Language of this workspace"
              value={language ?? ""}
              options={languageChoices("As each person’s browser asks")}
              disabled={!may("settings:write", { ownRole: true })}
              onValue={(value) => void choose(value === "" ? null : value)}
            />
          )}
        </Loaded>
        <p class="t13 c3">
          Invitations, other letters and chat rooms use it. Whoever chose a language under Profile gets letters in that
          one.
        </p>
      </div>
    </Card>
  );
}
