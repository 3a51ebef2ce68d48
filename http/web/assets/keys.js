const $ = (id) => document.getElementById(id);

// keys installs the keyboard shortcuts: / focuses the prompt, arrows move between people, Enter opens a person,
// Esc calls stop(), and ? lists the shortcuts.
export function keys(stop) {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    if (e.key === 'Escape') stop();
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== 'checkbox') return;
    if (press(e.key)) e.preventDefault();
  });
  $('people').addEventListener('click', (e) => e.target.closest('button') && mark(e.target.closest('.person')));
  $('help').addEventListener('click', () => $('keys').showModal());
}

// press performs the shortcut of a key, and returns whether there is one.
function press(key) {
  const cards = [...$('people').querySelectorAll('.person')];
  const at = cards.indexOf(document.activeElement.closest('.person'));
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (key === '/') $('prompt').focus();
  else if (key === '?') $('keys').showModal();
  else if (step && cards[at + step]) mark(cards[at + step]).focus();
  else if (key === 'Enter' && document.activeElement === cards[at]) cards[at].querySelector('button').click();
  else return false;
  return true;
}

// mark makes one person the tab stop of the list, and returns it.
function mark(one) {
  for (const other of $('people').querySelectorAll('.person[tabindex="0"]')) other.tabIndex = -1;
  one.tabIndex = 0;
  return one;
}
