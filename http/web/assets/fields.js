import { element, plain } from './dom.js';
import { ask } from './session.js';

const form = document.getElementById('search');
const further = document.getElementById('further');

// filters are the fields of the form for filters.
export const filters = [...form.querySelectorAll('.filters input')];

// filterField is the field of a filter. One that the form lacks comes to the further filters; null where no filter can
// have the name.
export function filterField(name) {
  const there = filters.find((f) => f.name === name);
  if (there || !isFree(name)) return there || null;
  const field = element('input', { name, placeholder: 'any' });
  const label = plain(name).replace(/^./, (c) => c.toUpperCase());
  further.querySelector('fieldset').append(element('label', null, `${label} `, field));
  filters.push(field);
  return field;
}

// isFree keeps a link from giving a field the name of something that every form has, which would then be hidden.
function isFree(name) {
  return /^[a-z]+([A-Z][a-z]+)*$/.test(name) && !(name in form);
}

// setFilter fills in a filter, and shows it.
export function setFilter(name, value) {
  const field = filterField(name);
  field.value = value;
  showField(field);
}

// showField opens the further filters, where the field is one of them.
export function showField(field) {
  further.open = further.open || further.contains(field);
}

// listOf is the id of the list that a scope names, list: and the id; empty for another scope.
export function listOf(scope) {
  return scope.startsWith('list:') ? scope.slice('list:'.length) : '';
}

// offerScope lets the scope of the form be a list, by its name once that is known.
export function offerScope(scope) {
  const select = document.getElementById('scope');
  if (!listOf(scope) || [...select.options].some((o) => o.value === scope)) return;
  const option = element('option', { value: scope }, 'A list');
  select.append(option);
  ask('GET', `v2/lists/${encodeURIComponent(listOf(scope))}`).then(
    (list) => { option.textContent = `List: ${list.name}`; }, () => {}); // the search says what is wrong
}
