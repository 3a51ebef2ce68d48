import { element } from './dom.js';
import { events } from './sse.js';

const $ = (id) => document.getElementById(id);
const form = $('search');
const filterNames = ['position', 'company', 'city', 'country'];
const publishedToken = document.querySelector('meta[name="kith-token"]').content;

let running = null; // the AbortController of the search under way
let shown = 0;
let total = '';
let next = null; // the pagination object that asks for more

form.addEventListener('submit', (e) => {
  e.preventDefault();
  const asked = request();
  if (!asked.prompt && !asked.filters) {
    $('prompt').focus();
    say('Type who you are looking for, or fill in a filter.');
    return;
  }
  remember();
  clear();
  run(asked);
});
$('stop').addEventListener('click', () => running && running.abort());
$('more').addEventListener('click', () => run({ cursor: next, stream: true }));

// request is the search that the form asks for.
function request() {
  const asked = { stream: true, include_counts: 'global' };
  const prompt = $('prompt').value.trim();
  if (prompt) asked.prompt = prompt;
  const filters = {};
  for (const name of filterNames) {
    const value = form.elements[name].value.trim();
    if (value) filters[name] = value;
  }
  if (Object.keys(filters).length > 0) asked.filters = filters;
  return asked;
}

function clear() {
  shown = 0;
  total = '';
  next = null;
  $('people').replaceChildren();
  $('understood').hidden = true;
}

async function run(asked) {
  if (running) running.abort();
  const mine = new AbortController();
  running = mine;
  busy(true);
  $('problem').hidden = true;
  say('Searching…');
  try {
    await receive(asked, mine.signal);
  } catch (err) {
    if (mine.signal.aborted) {
      if (running === mine) say(`Stopped after ${people(shown)}.`);
    } else {
      fail({ detail: `The connection broke off: ${err.message}` });
    }
  }
  if (running === mine) {
    running = null;
    busy(false);
  }
}

function busy(is) {
  $('stop').hidden = !is;
  $('people').setAttribute('aria-busy', String(is));
  $('more').hidden = is || next === null;
}

async function receive(asked, signal) {
  const token = $('token').value.trim() || publishedToken;
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch('v2/people/search', { method: 'POST', headers, body: JSON.stringify(asked), signal });
  if (!answer.ok) {
    const body = await answer.json().catch(() => null);
    fail(body && body.error ? body.error : { detail: `The server answered ${answer.status}.` });
    return;
  }
  next = null;
  let whole = false;
  for await (const e of events(answer.body)) {
    if (signal.aborted) return;
    show(e.event, JSON.parse(e.data));
    whole = whole || e.event === 'done';
  }
  if (!whole) fail({ detail: 'The answer was cut off before its end. Search again.' });
}

function show(event, data) {
  switch (event) {
    case 'metadata':
      understood(data.interpretation);
      break;
    case 'result':
      shown++;
      $('people').append(card(data.person));
      progress();
      break;
    case 'counts':
      total = counted(data.counts && data.counts.global);
      progress();
      break;
    case 'error':
      fail(data);
      break;
    case 'done':
      finish(data);
  }
}

function finish(done) {
  next = done.pagination.has_next_page ? done.pagination : null;
  if (done.metadata.counts) total = counted(done.metadata.counts.global) || total;
  if (!done.complete) return;
  if (shown === 0) say('No one matches. Try fewer or wider conditions.');
  else say(`${people(shown)}${total} from ${done.metadata.source}, by ${done.metadata.search_engine}.`);
}

function progress() {
  say(`${people(shown)}${total}…`);
}

function counted(count) {
  if (!count) return '';
  return ` of ${count.is_capped ? 'more than ' : ''}${count.value.toLocaleString()}`;
}

function people(n) {
  return n === 1 ? '1 person' : `${n.toLocaleString()} people`;
}

function say(text) {
  $('state').textContent = text;
}

function fail(error) {
  say(shown > 0 ? `${people(shown)}, and then:` : '');
  const problems = (error.errors || []).map((p) => element('li', null, `${p.field}: ${p.message}`));
  $('problem').replaceChildren(
    element('p', null, error.title ? `${error.title}: ${error.detail}` : error.detail),
    problems.length > 0 ? element('ul', null, ...problems) : '',
  );
  $('problem').hidden = false;
  if (error.status === 401) $('credential').open = true;
}

function understood(interpretation) {
  const parts = [];
  for (const f of interpretation.filters) {
    parts.push(element('span', { class: f.excluded ? 'chip out' : 'chip' }, `${f.field}: ${f.value}`));
  }
  for (const c of interpretation.conditions) {
    parts.push(element('span', { class: c.excluded ? 'chip out' : 'chip' }, c.says));
  }
  for (const c of interpretation.criteria) parts.push(element('span', { class: 'chip', title: c.formula }, c.name));
  for (const s of interpretation.steps) {
    const names = s.people.map((p) => p.full_name).join(', ');
    parts.push(element('p', { class: 'note' }, `${s.says}: ${s.found} found${names ? ` (${names})` : ''}`));
  }
  if (interpretation.ignored.length > 0) parts.push(element('span', null, `not used: ${interpretation.ignored.join(', ')}`));
  for (const note of interpretation.notes) parts.push(element('p', { class: 'note' }, note));
  $('understood').replaceChildren(...parts);
  $('understood').hidden = parts.length === 0;
}

function card(person) {
  const job = person.work_relevant;
  const work = job ? [job.title, job.company && job.company.name].filter(Boolean).join(' at ') : '';
  const place = [person.location.city, person.location.state, person.location.country].filter(Boolean).join(', ');
  const since = job && job.start_date ? `since ${job.start_date.slice(0, 4)}` : '';
  return element('li', { class: 'person' },
    element('span', { class: 'initials', 'aria-hidden': 'true' }, initials(person.full_name)),
    element('div', null,
      element('h2', null, profile(person)),
      work ? element('p', null, work) : '',
      element('p', { class: 'about' }, [place, since].filter(Boolean).join(' · ')),
      person.headline && person.headline !== work ? element('p', { class: 'about' }, person.headline) : ''));
}

// profile links to the profile, if its address is one of the web.
function profile(person) {
  if (!/^https?:\/\//i.test(person.social_url)) return person.full_name;
  return element('a', { href: person.social_url, rel: 'noopener noreferrer nofollow', target: '_blank' }, person.full_name);
}

function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return ends.map((w) => Array.from(w)[0]).join('').toUpperCase();
}

// The search stands in the fragment of the address: it can be kept as a
// bookmark, and is not sent to any server.
function remember() {
  const kept = new URLSearchParams();
  for (const name of ['prompt', ...filterNames]) {
    const value = form.elements[name].value.trim();
    if (value) kept.set(name, value);
  }
  history.replaceState(null, '', `#${kept}`);
}

function recall() {
  const kept = new URLSearchParams(location.hash.slice(1));
  for (const name of ['prompt', ...filterNames]) {
    if (kept.has(name)) form.elements[name].value = kept.get(name);
  }
  if ([...kept].length > 0) form.requestSubmit();
}

recall();
