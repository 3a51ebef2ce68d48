import { confirmed } from './confirm.js';
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
    if (!await confirmed(`Remove ${r.person.name} from the people you know?`, losses(r), 'Remove')) return;
    await ask('DELETE', `v2/user/relationships/${encodeURIComponent(r.id)}`);
    await known.show();
    say(`${r.person.name} is no longer listed as a person you know.`);
  })));
}

// losses says what removing a relationship destroys, and what stays.
function losses(r) {
  const { outgoing = 0, incoming = 0 } = r.contact || {};
  const kept = [`the strength (${labels[r.score_label] || 'weak'})`, r.types.length > 0 && 'how you know each other',
    r.connected_on && `the day you connected (${r.connected_on})`,
    outgoing + incoming > 0 && `the history of ${counted(outgoing + incoming, 'contact')}`].filter(Boolean);
  return [`This deletes the relationship: ${kept.join(', ')}. ${r.person.name} no longer leads you to other people.`,
    'The record of the person stays, and so do lists and sequences.',
    'Only importing the files again brings the relationship back.'];
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

$('delete').addEventListener('click', () => attempt(async () => {
  const { people } = await ask('GET', `v2/lists/${encodeURIComponent(list.id)}`);
  if (!await confirmed(`Delete the list ${list.name}?`, [`Who is on it cannot be restored: ${
    counted(people, 'person', 'people')}. The people themselves stay.`], 'Delete the list')) return;
  await ask('DELETE', `v2/lists/${encodeURIComponent(list.id)}`);
  $('list').hidden = true;
  await showLists();
  say(`The list ${list.name} is deleted.`);
}));

$('close').addEventListener('click', () => {
  $('list').hidden = true;
  $('list-name').focus();
});

await attempt(async () => {
  await showLists();
  await Promise.all([showSearches(), known.show(), showDuplicates()]);
});
