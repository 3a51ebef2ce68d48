import { trouble } from './problem.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);
const dialog = $('keeping');
let kept = null; // the search to save

// keepable shows the button that saves a finished search; null hides it.
export function keepable(search) {
  kept = search;
  $('keep').hidden = search === null;
}

$('keep').addEventListener('click', () => {
  $('keeping-problem').textContent = '';
  const conditions = [kept.prompt, ...Object.values(kept.filters || {})].filter(Boolean);
  $('keeping-name').value = conditions.join(', ').slice(0, 200);
  dialog.showModal();
  $('keeping-name').select();
});

$('keeping-form').addEventListener('submit', async (e) => {
  e.preventDefault();
  const { stream, explain, include_counts, ...search } = kept;
  const name = $('keeping-name').value.trim();
  $('keeping-save').disabled = true;
  $('keeping-problem').textContent = 'Saving…';
  try {
    await ask('POST', 'v2/searches', { name, search });
    dialog.close();
    $('state').textContent = `Saved as ${name}. Find new matches on the People page.`;
    $('state').focus();
  } catch (err) {
    $('keeping-problem').textContent = trouble(err);
  }
  $('keeping-save').disabled = false;
});

$('keeping-cancel').addEventListener('click', () => dialog.close());
