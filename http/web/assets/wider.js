import { apart, element, plain } from './dom.js';

const verbs = {
  name: 'is called', school: 'has studied at', company: 'works at', pastCompany: 'has worked at',
  anyCompany: 'works or has worked at',
};

// strangers writes a sentence for each company, school or name that no person in Kith has.
export function strangers(unknown) {
  return unknown.map(({ field, value }) => {
    const names = value.split(/, ?(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((name) => name.replace(/^[=+]?"?|"$/g, ''));
    return `No one here ${verbs[field] || `has the ${plain(field)}`} ${names.join(' or ')}.`;
  }).join(' ');
}

const most = 4; // suggestions, to keep the people in view

// relaxed returns a button for each suggested search without some conditions, with its number of people. A click calls
// drop(parts). It skips suggestions that the form cannot express.
export function relaxed(suggestions, parts, canDrop, drop) {
  const buttons = suggestions.map(({ fields, count, is_capped: capped }) => {
    const gone = parts.filter((p) => fields.includes(p.field));
    if (!fields.every((f) => gone.some((p) => p.field === f)) || !gone.every(canDrop)) return null;
    const b = element('button', { type: 'button', class: 'quiet' }, 'without ',
      ...apart(gone.map((p) => p.text || p.value), ' and '), `: ${count.toLocaleString()}${capped ? ' or more' : ''}`);
    b.addEventListener('click', () => drop(gone));
    return b;
  });
  return buttons.filter(Boolean).slice(0, most);
}
