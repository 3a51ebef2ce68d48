import { confirmed } from './confirm.js';
import { apart, button, element, plain } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { line, profile, work } from './person.js';
import { all, ask } from './session.js';

const $ = (id) => document.getElementById(id);

let search = null; // the open saved search
let shown = []; // the ids of its new people
let news = null;

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

const at = (s) => `v2/searches/${encodeURIComponent(s.id)}`;

// showSearches lists the saved searches of the user.
export async function showSearches() {
  const searches = await all('v2/searches');
  $('searches').replaceChildren(...searches.map(row));
  if (searches.length === 0) $('searches').append(element('li', null, 'None yet. Save one from a search.'));
}

function row(s) {
  return element('li', null, element('div', null,
    element('a', { href: `./#${fragment(s.search)}` }, element('bdi', null, s.name)),
    line('about', apart(conditions(s.search), ' · ')),
    line('about bad', s.failure ? [`The last run failed: ${s.failure}`] : [])),
  element('div', { class: 'offers' }, button('New people', s.name, () => attempt(() => open(s))),
    button('Delete', s.name, () => attempt(() => remove(s)))));
}

// conditions lists the prompt and the filters of a search.
function conditions({ prompt, filters }) {
  return [prompt, ...Object.entries(filters || {}).map(([name, value]) => `${plain(name)}: ${value}`)];
}

// fragment returns the fragment that opens a search on the search page.
function fragment({ prompt, filters, scope, network_filters }) {
  const shows = network_filters ? 'reach' : scope;
  return new URLSearchParams({ ...(prompt && { prompt }), ...filters,
    ...((shows === 'reach' || shows === 'global') && { scope: shows }) });
}

// open shows the people who have come to match since the user last marked the matches as seen.
async function open(s) {
  say('Searching…');
  search = s;
  shown = [];
  $('news-title').replaceChildren('New: ', element('bdi', null, s.name));
  news = pager(`${at(s)}/new`, $('new-people'), $('more-new'), person, 'No new matches.');
  await news.show();
  $('seen').hidden = shown.length === 0;
  $('news').hidden = false;
  say('');
  $('news-title').focus();
}

function person(p) {
  shown.push(p.id);
  return element('li', null, element('div', null, ...profile(p), line('about', work(p.work_relevant || {}))));
}

async function remove(s) {
  if (!await confirmed(`Delete the saved search ${s.name}?`,
    ['Which of its people you have seen is lost, and webhooks no longer report new ones.'], 'Delete')) return;
  await ask('DELETE', at(s));
  if (search === s) $('news').hidden = true;
  await showSearches();
  say(`The saved search ${s.name} is deleted.`);
}

$('seen').addEventListener('click', () => attempt(async () => {
  await ask('POST', `${at(search)}/seen`, { people: shown });
  await open(search);
}));

$('close-news').addEventListener('click', () => {
  $('news').hidden = true;
  $('searches-title').focus();
});
