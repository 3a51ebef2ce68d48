import { element } from './dom.js';
import { read, request } from './session.js';

const pause = 150; // in ms, after a keystroke
const least = 3; // characters; the page asks for no completions of shorter prompts, although the server has some

// completing shows completions of a field as buttons while the user types. It returns a function that removes them.
export function completing(field, at) {
  let asked = 0; // counts requests: only the latest shows completions
  let timer = 0;
  let under = new AbortController(); // of the request under way
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
    const found = await request('GET', `v2/suggest?${query}`, undefined, under.signal).then(read)
      .then(({ data }) => data).catch(() => []); // the search itself reports errors
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
