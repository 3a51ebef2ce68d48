import { element } from './dom.js';
import { request } from './session.js';

const pause = 150; // in ms, after a letter
const least = 3; // letters, before which completions say nothing

// completing shows in an element how the prompt in a field may go on, while it is typed: a button for each. It gives
// a function that takes them away.
export function completing(field, at) {
  let asked = 0; // counts what was typed: only the last is completed
  let timer = 0;
  let under = new AbortController(); // the request under way: the server need not go on with it
  const clear = () => {
    asked++;
    clearTimeout(timer);
    under.abort();
    at.replaceChildren();
  };
  const look = async () => {
    const mine = ++asked;
    const q = field.value.trim();
    if (q.length < least || q.length > 1000) return;
    const query = new URLSearchParams({ field: 'prompt', q, limit: '5' });
    under = new AbortController();
    const found = await request('GET', `v2/suggest?${query}`, undefined, under.signal).then((answer) => answer.json())
      .then(({ data }) => data).catch(() => []); // a search says what is wrong
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
