const $ = (id) => document.getElementById(id);

// keys makes the keyboard work: / goes to the prompt, the arrows from person to person, Enter shows the person, Esc
// calls stop(), ? says so.
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

// press does what a key says, and gives whether it says anything.
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

// mark makes one person the one that Tab comes to, and gives it.
function mark(one) {
  for (const other of $('people').querySelectorAll('.person[tabindex="0"]')) other.tabIndex = -1;
  one.tabIndex = 0;
  return one;
}
