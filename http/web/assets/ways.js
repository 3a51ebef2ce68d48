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

// find shows the ways to the target in the address: a company by its id, site, profile or name, or else people.
async function find() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const whom = asked.get('whom') || '';
  $('whom').value = whom;
  $('found').replaceChildren();
  $('state').textContent = '';
  if (!whom) return;
  $('state').textContent = 'Looking…';
  const done = await attempt(async () => {
    if (asked.get('company')) await toCompany({ id: asked.get('company') });
    else if (/@|\/in\//.test(whom)) await toPerson(whom);
    else await toCompanyOrPeople(whom);
  });
  if (!done) $('state').textContent = '';
}

// toCompanyOrPeople shows the ways into a company. For a name of several it shows these; for a name of none, people.
async function toCompanyOrPeople(whom) {
  try {
    await toCompany({ name: whom });
  } catch (err) {
    const { code, candidates } = err.error || {};
    if (code === 'SEVERAL_COMPANIES') choose(whom, candidates);
    else if (code === 'COMPANY_NOT_FOUND' && !/^\S+\.\S+$/.test(whom)) await toPeople(whom);
    else throw err;
  }
}

function choose(whom, companies) {
  $('state').textContent = `Several companies are called ${whom}. Which one?`;
  $('found').replaceChildren(element('ul', { role: 'list' }, ...companies.map((c) => element('li', null,
    element('a', { href: `#${new URLSearchParams({ whom, company: c.id })}` }, element('bdi', null, c.name)), ' ',
    ...apart([c.domain || c.social_url, c.industry, place(c)], ' · ')))));
}

async function toCompany(company) {
  const reach = await ask('POST', 'v2/companies/paths', company);
  $('state').textContent = reach.total === 0 ? reach.summary.description
    : `${reach.count.toLocaleString()} of ${counted(reach.total, 'person', 'people')} within reach at ${
      reach.company.name}`;
  $('found').replaceChildren(...reach.target_people.map((t) => target(t.target, t.paths)));
}

// toPerson shows the ways to the person of a profile or an e-mail address.
async function toPerson(whom) {
  const reach = await ask('POST', `v2/people/${encodeURIComponent(whom)}/paths`, {});
  $('state').textContent = reach.summary.description;
  $('found').replaceChildren(target(reach.target, reach.paths));
}

// toPeople shows the ways to the first people of a name, the caller's network first.
async function toPeople(name) {
  const answer = await read(await request('POST', 'v2/people/search', { filters: { name }, limit: 5 }));
  const reached = await Promise.all(answer.data.map((p) => ask('POST', `v2/people/${p.id}/paths`, {})));
  $('state').textContent = answer.data.length === 0
    ? 'No company and no one has this name.'
    : `People of this name: ${answer.data.length}`;
  $('found').replaceChildren(...answer.data.map((p, i) => target(p, reached[i].paths)));
}

function target(person, ways) {
  return element('article', { class: 'card' }, element('h2', null, ...profile(person)),
    line(null, work(person.work_relevant || {})),
    line('about', apart([place(person)])), ...paths(ways, person.full_name));
}

find();
