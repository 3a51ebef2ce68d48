import { element } from './dom.js';
import { ask } from './session.js';

const pause = 150; // in ms, after a letter
const least = 3; // letters, before which completions say nothing

// completing shows in an element how the prompt in a field may go on, while it is typed: a button for each. It gives
// a function that takes them away.
export function completing(field, at) {
  let asked = 0; // counts what was typed: only the last is completed
  let timer = 0;
  const clear = () => {
    asked++;
    clearTimeout(timer);
    at.replaceChildren();
  };
  const look = async () => {
    const mine = ++asked;
    const q = field.value.trim();
    if (q.length < least || q.length > 1000) return;
    const query = new URLSearchParams({ field: 'prompt', q, limit: '5' });
    const found = await ask('GET', `v2/suggest?${query}`).catch(() => []); // a search says what is wrong
    if (mine === asked) at.replaceChildren(...found.filter((s) => s.text !== q).map(offer));
  };
  const offer = (s) => {
    const b = element('button', { type: 'button', class: 'quiet' }, element('bdi', null, s.text));
    b.addEventListener('click', () => {
      field.value = `${s.text} `;
      field.focus();
      clear();
    });
    return b;
  };
  field.addEventListener('input', () => {
    clear();
    timer = setTimeout(look, pause);
  });
  return clear;
}
