import { element } from './dom.js';
import { attempt } from './problem.js';
import { read, request } from './session.js';

// pager shows a list of the API in an element. draw(entry) renders an entry, the button loads the next page, and none
// is the text of an empty list.
export function pager(path, at, button, draw, none, pick = (data) => data) {
  let cursor = '';
  const fetchPage = async () => {
    const query = new URLSearchParams({ limit: '25', ...(cursor && { cursor }) });
    const answer = await read(await request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`));
    cursor = answer.pagination.has_next_page ? answer.pagination.cursor : '';
    return pick(answer.data).map(draw);
  };
  const end = () => { button.hidden = cursor === ''; };
  button.onclick = () => attempt(async () => {
    const entries = await fetchPage();
    at.append(...entries);
    end();
    const next = entries[0] && entries[0].querySelector('a, button');
    if (next) next.focus();
  });
  return {
    async show() {
      cursor = '';
      const entries = await fetchPage();
      at.replaceChildren(...entries);
      if (entries.length === 0) at.append(element('li', { class: 'about' }, none));
      end();
    },
  };
}
