import { openAll } from './drawer.js';

const $ = (id) => document.getElementById(id);
const selected = new Map(); // people by id

// selectable makes the checkbox of a card select its person.
export function selectable(card, person) {
  card.querySelector('[type=checkbox]').addEventListener('change', (e) => select(person, e.target.checked));
  return card;
}

function select(person, is) {
  selected.delete(person.id);
  if (is) selected.set(person.id, person);
  $('selected').hidden = selected.size === 0;
  $('how-many').textContent = `${selected.size.toLocaleString()} selected`;
}

// deselect clears the selection.
export function deselect() {
  for (const box of $('people').querySelectorAll(':checked')) box.checked = false;
  selected.clear();
  $('selected').hidden = true;
}

$('save-selected').addEventListener('click', () => openAll([...selected.values()], 'save'));
$('add-selected').addEventListener('click', () => openAll([...selected.values()], 'sequence'));
$('clear-selected').addEventListener('click', () => {
  deselect();
  $('state').focus();
});
