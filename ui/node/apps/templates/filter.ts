import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { fuzzyScore } from "../../../kit/fuzzy.ts";

/** Templates that fit the search and the category, best first; without a search in the order of their names. */
export function filterTemplates(templates: Template[], by: { search: string; category: string | null }): Template[] {
  const inCategory =
    by.category === null ? templates : templates.filter((template) => template.category === by.category);
  if (by.search.trim() !== "") {
    return inCategory
      .map((template) => ({ template, score: scoreOf(template, by.search) }))
      .filter((item) => item.score > 0)
      .sort((a, b) => b.score - a.score)
      .map((item) => item.template);
  }
  return inCategory.toSorted((a, b) => a.display_name.localeCompare(b.display_name));
}

function scoreOf(template: Template, search: string): number {
  const name = fuzzyScore(search, template.display_name);
  if (name > 0) return 1000 + name;
  const words = `${template.tagline ?? ""} ${template.description} ${template.category}`.toLowerCase();
  return words.includes(search.trim().toLowerCase()) ? 1 : 0;
}
