import { element, plain } from './dom.js';
import { ask } from './session.js';

const form = document.getElementById('search');
const further = document.getElementById('further');

// filters are the filter fields of the form.
export const filters = [...form.querySelectorAll('.filters input')];

// filterField returns the field of a filter. It adds a missing field under More filters. It returns null if the name is
// not a valid filter name.
export function filterField(name) {
  const there = filters.find((f) => f.name === name);
  if (there || !isFree(name)) return there || null;
  const field = element('input', { name, placeholder: 'any' });
  const label = plain(name).replace(/^./, (c) => c.toUpperCase());
  further.querySelector('fieldset').append(element('label', null, `${label} `, field));
  filters.push(field);
  return field;
}

// isFree rejects names such as submit, which would hide a member of the form element.
function isFree(name) {
  return /^[a-z]+([A-Z][a-z]+)*$/.test(name) && !(name in form);
}

// setFilter fills in a filter and shows its field.
export function setFilter(name, value) {
  const field = filterField(name);
  field.value = value;
  showField(field);
}

// showField opens More filters if the field is one of them.
export function showField(field) {
  further.open = further.open || further.contains(field);
}

// listOf returns the id in a scope of the form list:ID, else an empty string.
export function listOf(scope) {
  return scope.startsWith('list:') ? scope.slice('list:'.length) : '';
}

// offerScope adds a list to the scopes of the form. Its name is filled in after it is loaded.
export function offerScope(scope) {
  const select = document.getElementById('scope');
  if (!listOf(scope) || [...select.options].some((o) => o.value === scope)) return;
  const option = element('option', { value: scope }, 'A list');
  select.append(option);
  ask('GET', `v2/lists/${encodeURIComponent(listOf(scope))}`).then(
    (list) => { option.textContent = `List: ${list.name}`; }, () => {}); // the search itself reports errors
}
