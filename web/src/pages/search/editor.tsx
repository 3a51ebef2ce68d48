import { useEffect, useRef, useState } from "preact/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { Button } from "../../parts/button";
import { Combobox, type Option } from "../../parts/combobox";
import { filterName } from "../../people/match";
import { useLoad } from "../../state/load";
import { useSettled } from "../../state/settled";
import { t } from "../../text";
import { number } from "../../text/format";
import { literal } from "./query";

type SuggestField = Schemas["SuggestField"];

/** suggested has the field of suggestions for the values of a filter. */
const suggested: Record<string, SuggestField> = {
  city: "city", country: "country", state: "state", company: "company", pastCompany: "company", anyCompany: "company",
  position: "position", pastPosition: "position", companyIndustry: "industry", school: "school", skills: "skill",
  name: "person",
};

/** offered are the filters in the menu, the usual ones first. */
export const offered = ["position", "company", "city", "country", "seniority", "function", "companyIndustry",
  "companySize", "pastCompany", "experienceYears", "school", "skills", "name", "state", "region", "companyCountry",
  "companyFundingStage", "companyType", "tenureYears", "pastPosition", "anyCompany", "degree", "fieldOfStudy",
  "keywords", "email"];

interface EditorProps {
  field: string;
  value: string;
  onApply: (field: string, value: string) => void;
  onClose: () => void;
}

/** ValueEditor edits the value of a filter in place, with suggestions for the last alternative. */
export function ValueEditor({ field: first, value, onApply, onClose }: EditorProps) {
  const [field, setField] = useState(first || "position");
  const [text, setText] = useState(value);
  const at = useRef<HTMLFormElement>(null);
  const options = useSuggestions(field, text);
  useEffect(() => { at.current?.querySelector<HTMLElement>(first ? "input" : "select")?.focus(); }, [first]);
  useEffect(() => {
    const away = (e: Event) => { if (!at.current?.parentElement?.contains(e.target as Node)) onClose(); };
    document.addEventListener("pointerdown", away);
    return () => { document.removeEventListener("pointerdown", away); };
  }, [onClose]);
  const names = offered.includes(field) ? offered : [field, ...offered];
  return (
    <form ref={at} class="editor" onSubmit={(e) => { e.preventDefault(); onApply(field, text); }}
      onKeyDown={(e) => { if (e.key === "Escape") { e.stopPropagation(); onClose(); } }}>
      <select aria-label={t.search.filter} value={field} onChange={(e) => { setField(e.currentTarget.value); }}>
        {names.map((name) => <option key={name} value={name}>{filterName(name)}</option>)}
      </select>
      <Combobox label={t.search.value} value={text} options={options} onInput={setText}
        onPick={(option) => { setText(before(text) + literal(option.id)); }} />
      <Button kind="main" type="submit">{t.search.apply}</Button>
      <p class="soft">{t.search.valueHint}</p>
    </form>
  );
}

/** before returns the alternatives before the one that is being typed. */
function before(text: string): string {
  const comma = text.lastIndexOf(",");
  return comma < 0 ? "" : `${text.slice(0, comma)}, `;
}

function optionOf({ value, text, count }: Schemas["Suggestion"]): Option {
  return { id: value.replaceAll('"', ""), text, aside: number(count) };
}

/** useSuggestions returns known values of a filter that resemble the last one of a text. */
export function useSuggestions(field: string, text: string): Option[] {
  const typed = text.slice(text.lastIndexOf(",") + 1).trim().replaceAll('"', "");
  const q = useSettled(typed, 120);
  const { data } = useLoad(async (signal) => {
    const of = suggested[field];
    if (!of || q.length < 2 || q.length > 100) return { q, found: [] };
    const query = { field: of, q, limit: 7 };
    return { q, found: (await ask(api.GET("/v2/suggest", { params: { query }, signal }))).data };
  }, [field, q]);
  return data?.q === typed ? data.found.map(optionOf).filter((one) => one.id !== q) : [];
}
