import { apart, counted, element } from './dom.js';
import { paths } from './paths.js';
import { line, place, profile, work } from './person.js';
import { attempt } from './problem.js';
import { ask, read, request } from './session.js';

const $ = (id) => document.getElementById(id);

$('find').addEventListener('submit', (e) => {
  e.preventDefault();
  const asked = `#${new URLSearchParams({ whom: $('whom').value.trim() })}`;
  if (asked === location.hash) find();
  else location.hash = asked;
});
window.addEventListener('hashchange', find);

// find shows the ways to the target in the address: a company by its site or profile, else people by name.
async function find() {
  const whom = new URLSearchParams(location.hash.slice(1)).get('whom') || '';
  $('whom').value = whom;
  $('found').replaceChildren();
  $('state').textContent = '';
  if (!whom) return;
  $('state').textContent = 'Looking…';
  const done = await attempt(async () => {
    const company = named(whom);
    if (company) await toCompany(company);
    else await toPeople(whom);
  });
  if (!done) $('state').textContent = '';
}

// named returns the request body for a company's site or profile; null for other texts.
function named(whom) {
  if (/\s|@/.test(whom) || !/^[^./]+(\.[^./]+)+/.test(whom.replace(/^https?:\/\//i, ''))) return null;
  return /\/company\//.test(whom) ? { social_url: whom } : { domain: whom };
}

async function toCompany(company) {
  const reach = await ask('POST', 'v2/companies/paths', company);
  $('state').textContent = reach.total === 0 ? reach.summary.description
    : `${reach.count.toLocaleString()} of ${counted(reach.total, 'person', 'people')} within reach at ${
      reach.company.name}`;
  $('found').replaceChildren(...reach.target_people.map((t) => target(t.target, t.paths)));
}

// toPeople shows the ways to the first people of a name, the caller's network first.
async function toPeople(name) {
  const answer = await read(await request('POST', 'v2/people/search', { filters: { name }, limit: 5 }));
  const reached = await Promise.all(answer.data.map((p) => ask('POST', `v2/people/${p.id}/paths`, {})));
  $('state').textContent = answer.data.length === 0
    ? 'No one has this name. For a company, enter its site, such as acme.com.'
    : `People of this name: ${answer.data.length}`;
  $('found').replaceChildren(...answer.data.map((p, i) => target(p, reached[i].paths)));
}

function target(person, ways) {
  return element('article', { class: 'card' }, element('h2', null, ...profile(person)),
    line(null, work(person.work_relevant || {})),
    line('about', apart([place(person)])), ...paths(ways, person.full_name));
}

find();
