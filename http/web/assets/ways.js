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

let latest; // search: answers to earlier ones are not shown

// find shows the ways to the target in the address: a company by its id, site, profile or name, or else people.
async function find() {
  const search = latest = {};
  const asked = new URLSearchParams(location.hash.slice(1));
  const whom = asked.get('whom') || '';
  $('whom').value = whom;
  show(whom ? 'Looking…' : '', []);
  if (!whom) return;
  let answer = ['', []];
  await attempt(async () => {
    try {
      answer = await ways(asked.get('company'), whom);
    } catch (err) {
      if (search === latest) throw err;
    }
  });
  if (search === latest) show(...answer);
}

// ways and the functions after it return a text and elements.
function ways(company, whom) {
  if (company) return toCompany({ id: company });
  return /@|\/in\//.test(whom) ? toPerson(whom) : toCompanyOrPeople(whom);
}

function show(says, found) {
  $('state').textContent = says;
  $('found').replaceChildren(...found);
}

// toCompanyOrPeople answers with the ways into a company. For a name of several it answers with these; for a name of
// none, with people.
async function toCompanyOrPeople(whom) {
  try {
    return await toCompany({ name: whom });
  } catch (err) {
    const { code, candidates } = err.error || {};
    if (code === 'SEVERAL_COMPANIES') return choice(whom, candidates);
    if (code === 'COMPANY_NOT_FOUND' && !/^\S+\.\S+$/.test(whom)) return toPeople(whom);
    throw err;
  }
}

function choice(whom, companies) {
  const links = companies.map((c) => element('li', null,
    element('a', { href: `#${new URLSearchParams({ whom, company: c.id })}` }, element('bdi', null, c.name)), ' ',
    ...apart([c.domain || c.social_url, c.industry, place(c)], ' · ')));
  return [`Several companies are called ${whom}. Which one?`, [element('ul', { role: 'list' }, ...links)]];
}

async function toCompany(company) {
  const reach = await ask('POST', 'v2/companies/paths', company);
  const says = reach.total === 0 ? reach.summary.description
    : `${reach.count.toLocaleString()} of ${counted(reach.total, 'person', 'people')} within reach at ${
      reach.company.name}`;
  return [says, reach.target_people.map((t) => target(t.target, t.paths))];
}

// toPerson answers with the ways to the person of a profile or an e-mail address.
async function toPerson(whom) {
  const reach = await ask('POST', `v2/people/${encodeURIComponent(whom)}/paths`, {});
  return [reach.summary.description, [target(reach.target, reach.paths)]];
}

// toPeople answers with the ways to the first people of a name, the caller's network first.
async function toPeople(name) {
  const answer = await read(await request('POST', 'v2/people/search', { filters: { name }, limit: 5 }));
  const reached = await Promise.all(answer.data.map((p) => ask('POST', `v2/people/${p.id}/paths`, {})));
  const says = answer.data.length === 0
    ? 'No company and no one has this name.'
    : `People of this name: ${answer.data.length}`;
  return [says, answer.data.map((p, i) => target(p, reached[i].paths))];
}

function target(person, reach) {
  return element('article', { class: 'card' }, element('h2', null, ...profile(person)),
    line(null, work(person.work_relevant || {})),
    line('about', apart([place(person)])), ...paths(reach, person.full_name));
}

find();
