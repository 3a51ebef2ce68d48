import { element, plain } from './dom.js';

const verbs = {
  name: 'is called', school: 'has studied at', company: 'works at', pastCompany: 'has worked at', anyCompany: 'works or has worked at',
};

// strangers says in a sentence each which of the companies, schools and people asked for nobody here has.
export function strangers(unknown) {
  return unknown.map(({ field, value }) => {
    const names = value.split(/, ?(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((name) => name.replace(/^[=+]?"?|"$/g, ''));
    return `No one here ${verbs[field] || `has the ${plain(field)}`} ${names.join(' or ')}.`;
  }).join(' ');
}

const most = 4; // suggestions, so that the people stay in sight

// relaxed gives a button for each suggestion of what to leave out, with how many people there would be. It calls
// drop(parts) with those parts of what was understood that go; what cannot be taken out of the form is not suggested.
export function relaxed(suggestions, parts, canDrop, drop) {
  const buttons = suggestions.map(({ fields, count, is_capped: capped }) => {
    const gone = parts.filter((p) => fields.includes(p.field));
    if (!fields.every((f) => gone.some((p) => p.field === f)) || !gone.every(canDrop)) return null;
    const names = gone.map((p) => p.text || p.value).flatMap((name, i) => [i > 0 ? ' and ' : '', element('bdi', null, name)]);
    const b = element('button', { type: 'button', class: 'quiet' }, 'without ', ...names, `: ${count.toLocaleString()}${capped ? ' or more' : ''}`);
    b.addEventListener('click', () => drop(gone));
    return b;
  });
  return buttons.filter(Boolean).slice(0, most);
}
