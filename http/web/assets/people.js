import { apart, button, counted, element } from './dom.js';
import { showDuplicates } from './duplicates.js';
import { labels } from './paths.js';
import { attempt } from './problem.js';
import { pager } from './pager.js';
import { showSearches } from './searches.js';
import { all, ask } from './session.js';

const $ = (id) => document.getElementById(id);
const known = pager('v2/user/relationships', $('known'), $('more-known'), relationship, 'None yet.');

let list = null; // the open list
let members = null;

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

async function showLists() {
  const lists = await all('v2/lists');
  $('lists').replaceChildren(...lists.map(row));
  if (lists.length === 0) $('lists').append(element('li', null, 'None yet. Save people to a list from a search.'));
}

function row(l) {
  return element('li', null, element('div', null, element('bdi', null, l.name),
    element('span', { class: 'about' }, ` ${counted(l.people, 'person', 'people')}`)),
    button('Open', l.name, () => attempt(() => openList(l))));
}

async function openList(l) {
  list = l;
  $('list-title').replaceChildren(element('bdi', null, l.name));
  $('search-list').href = `./#${new URLSearchParams({ scope: `list:${l.id}` })}`;
  $('renaming').hidden = true;
  members = pager(`v2/lists/${encodeURIComponent(l.id)}/people`, $('members'), $('more-members'), member,
    'This list is empty.');
  await members.show();
  $('list').hidden = false;
  $('list-title').focus();
}

function member(p) {
  return element('li', null, named(p), button('Remove', p.full_name, () => attempt(async () => {
    await ask('DELETE', `v2/lists/${encodeURIComponent(list.id)}/people`, { people: [p.id] });
    await members.show();
    await showLists();
    say(`${p.full_name} is no longer on ${list.name}.`);
  })));
}

function named(p) {
  return element('div', null, element('bdi', null, p.full_name || p.name),
    p.headline ? element('p', { class: 'about' }, element('bdi', null, p.headline)) : '');
}

function relationship(r) {
  const since = r.connected_on ? `since ${r.connected_on.slice(0, 4)}` : '';
  const last = r.contact && r.contact.last ? `last contact ${r.contact.last}` : '';
  return element('li', null, element('div', null, element('bdi', null, r.person.name),
    element('p', { class: 'about' }, ...apart([labels[r.score_label] || 'weak',
      r.types.join(', ').replaceAll('_', ' '), since, last], ' · '))),
  button('Remove', r.person.name, () => attempt(async () => {
    await ask('DELETE', `v2/user/relationships/${encodeURIComponent(r.id)}`);
    await known.show();
    say(`${r.person.name} is no longer listed as a person you know.`);
  })));
}

$('new-list').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const name = $('list-name').value.trim();
    await ask('POST', 'v2/lists', { name });
    $('list-name').value = '';
    await showLists();
    say(`The list ${name} is created.`);
  });
});

$('rename').addEventListener('click', () => {
  $('renaming').hidden = false;
  $('new-name').value = list.name;
  $('new-name').select();
});

$('renaming').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    await openList(await ask('PATCH', `v2/lists/${encodeURIComponent(list.id)}`, { name: $('new-name').value.trim() }));
    await showLists();
  });
});

$('delete').addEventListener('click', () => {
  if (!window.confirm(`Delete the list ${list.name}? The people stay.`)) return;
  attempt(async () => {
    await ask('DELETE', `v2/lists/${encodeURIComponent(list.id)}`);
    $('list').hidden = true;
    await showLists();
    say(`The list ${list.name} is deleted.`);
  });
});

$('close').addEventListener('click', () => {
  $('list').hidden = true;
  $('list-name').focus();
});

await attempt(async () => {
  await showLists();
  await Promise.all([showSearches(), known.show(), showDuplicates()]);
});
