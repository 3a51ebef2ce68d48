import { didYouMean } from './alternatives.js';
import { completing } from './complete.js';
import { element, frame, noun, plain } from './dom.js';
import { open } from './drawer.js';
import { filterField, filters, listOf, offerScope, setFilter, showField } from './fields.js';
import { keepable } from './keeping.js';
import { keys } from './keys.js';
import { counting } from './narrow.js';
import { card } from './person.js';
import { trouble } from './problem.js';
import { request } from './session.js';
import { deselect, selectable } from './selection.js';
import { events } from './sse.js';
import { understanding } from './understood.js';
import { relaxed, strangers } from './wider.js';

const $ = (id) => document.getElementById(id);
const form = $('search');
const fields = () => [$('prompt'), $('scope'), ...filters];
const title = document.title;

const wide = matchMedia('(min-width: 60rem)'); // as in the style sheet: facets fit beside the people

let running = null; // the AbortController of the search under way
let current = null; // the search on the page
let kept = new URLSearchParams(); // its form fields
let unrecorded = false; // whether it is missing from the history
let shown = 0;
let close = 0; // number of closest people, listed after the matches
let total = '';
let all = 0; // the number in total
let narrowed = false; // whether the prompt itself limits the search to the network; the counts ignore that
let read = []; // the filters of the interpretation
let next = null; // the cursor of the next page

const endCompletions = completing($('prompt'), $('completions'));

form.addEventListener('submit', (e) => {
  e.preventDefault();
  kept = new URLSearchParams(fields().map((f) => [f.name, f.value.trim()]).filter(([, value]) => value));
  unrecorded = true;
  if (asked()) {
    start();
    return;
  }
  stop();
  $('prompt').focus();
  say('Type who you are looking for, or fill in a filter.');
});
$('prompt').addEventListener('keydown', (e) => {
  if (e.key !== 'Enter' || e.shiftKey || e.isComposing) return;
  e.preventDefault();
  form.requestSubmit();
});
$('scope').addEventListener('change', () => asked() && form.requestSubmit());
$('stop').addEventListener('click', () => running && running.abort());
$('more').addEventListener('click', goOn);
$('narrow').addEventListener('toggle', narrow);
window.addEventListener('popstate', recall);

// asked returns the search in the form, or null if the form is empty.
function asked() {
  const search = { stream: true, explain: true, include_counts: 'all' };
  const prompt = $('prompt').value.trim();
  if (prompt) search.prompt = prompt;
  const given = filters.map((i) => [i.name, i.value.trim()]).filter(([, value]) => value);
  if (given.length > 0) search.filters = Object.fromEntries(given);
  if ($('scope').value === 'global') search.scope = 'global';
  if ($('scope').value === 'reach') Object.assign(search,
    { scope: 'network', network_filters: { connection_degrees: [1, 2] } });
  const list = listOf($('scope').value);
  if (list) Object.assign(search, { scope: 'specific_list', specific_list_data: { list } });
  return search.prompt || search.filters || list ? search : null;
}

function start() {
  current = asked();
  run(current, clear);
}

// stop cancels the search under way and clears the page.
function stop() {
  if (running) running.abort();
  running = null;
  clear();
  record();
  busy(false);
  say('');
}

// goOn loads the next page, and moves the focus from the button to its first person.
async function goOn() {
  if (running) return;
  const before = shown;
  await run({ cursor: next, stream: true });
  const first = $('people').children[before];
  const target = first && document.activeElement === $('more') && first.querySelector('a, button');
  if (target) target.focus();
}

// Scrolling to the end loads more people, unless the button has the focus or an error is shown.
const end = new IntersectionObserver(([at]) => {
  if (at.isIntersecting && document.activeElement !== $('more') && $('problem').hidden) goOn();
}, { rootMargin: '200px' });

function clear() {
  endCompletions();
  keepable(null);
  shown = 0;
  close = 0;
  total = '';
  next = null;
  $('people').replaceChildren();
  deselect();
  $('understood').hidden = true;
  $('meant').hidden = true;
  $('within').textContent = '';
  $('wider').hidden = true;
  $('narrow').hidden = true;
  $('narrow').open = false;
  $('values').replaceChildren();
  $('problem').hidden = true;
  for (const f of fields()) f.removeAttribute('aria-invalid');
  $('examples').hidden = asked() !== null;
}

// run searches and shows the people. It calls prepare() while the server searches.
async function run(search, prepare = () => {}) {
  if (running) running.abort();
  const mine = new AbortController();
  running = mine;
  const asking = post('v2/people/search', search, mine.signal);
  prepare();
  busy(true);
  $('problem').hidden = true;
  say('Searching…');
  try {
    await receive(asking, mine.signal);
  } catch (err) {
    if (running !== mine) return;
    if (mine.signal.aborted) say(shown > 0 ? `Stopped after ${people()}.` : 'Stopped.');
    else fail(err.error || { detail: trouble(err) });
  }
  if (running !== mine) return;
  running = null;
  record();
  busy(false);
}

function busy(is) {
  if (!is && document.activeElement === $('stop')) $('state').focus();
  $('stop').hidden = !is;
  $('people').setAttribute('aria-busy', String(is));
  $('more').hidden = next === null;
  end.disconnect();
  if (!is && next !== null) end.observe($('more')); // fires again if it is still in view
}

const post = (path, body, signal) => request('POST', path, body, signal);

async function receive(asking, signal) {
  const answer = await asking;
  let begun = false;
  let whole = false;
  for await (const e of events(answer.body)) {
    signal.throwIfAborted();
    show(e, JSON.parse(e.data));
    whole = whole || e.event === 'done';
    if (e.event !== 'result' || begun) continue;
    begun = true;
    await frame(); // paint the first person before the rest of the batch
    if (!signal.aborted) record();
  }
  if (!whole) fail({ detail: 'The answer was cut off. Load more people, or search again.' });
}

function show(e, data) {
  switch (e.event) {
    case 'metadata':
      understood(data.interpretation);
      break;
    case 'stage':
      if (data.stage !== 'closest') break;
      close = data.results;
      $('people').append(element('li', { class: 'close' }, element('h2', null, 'Closest people')));
      break;
    case 'result':
      if (close === 0) shown++;
      next = e.id;
      $('people').append(selectable(card(data.person, open), data.person));
      break;
    case 'counts':
      if (!narrowed) count(data.counts);
      break;
    case 'error':
      fail(data);
      break;
    case 'done':
      if (data.complete) finish(data);
  }
}

function finish(done) {
  next = done.pagination.has_next_page ? done.pagination.cursor : null;
  if (next === null) total = '';
  if (shown > 1 && wide.matches && $('narrow').hidden) $('narrow').open = true; // then the reader's choice holds
  $('narrow').hidden = shown < 2;
  keepable(current.scope === 'specific_list' ? null : current);
  widen(done.metadata.without || []);
  say(shown === 0 ? nobody(done.metadata.unknown || []) : people());
}

// widen offers the search without some conditions if few people match.
function widen(suggestions) {
  const buttons = relaxed(suggestions, read, canChange, drop);
  $('wider').replaceChildren(...buttons);
  $('wider').hidden = buttons.length === 0;
}

function nobody(unknown) {
  const within = $('scope').value === 'reach';
  const no = `No one ${within ? 'in your network ' : ''}matches.`;
  if (unknown.length > 0) return strangers(unknown);
  if (close > 0) return `${no} Showing the closest people: ${close.toLocaleString()}.`;
  return `${no} Try fewer or wider conditions${within ? ', or show everyone' : ''}.`;
}

// count shows how many people match, and how many of them are within reach.
function count({ global, network }) {
  const within = $('scope').value === 'reach' ? network : global;
  all = within.value;
  total = ` of ${number(within)}`;
  $('within').textContent = global.value > 0 ? `${number(network)} of ${number(global)} within reach` : '';
}

function number(count) {
  const about = (count.is_capped && 'more than ') || (count.is_estimated && 'about ') || '';
  return `${about}${count.value.toLocaleString()}`;
}

function people() {
  return `${shown.toLocaleString()}${total} ${noun(total ? all : shown, 'person', 'people')}`;
}

function say(text) {
  $('state').textContent = text;
}

function fail(error) {
  say(shown > 0 ? `Showing ${people()}. Loading more failed: see below.` : '');
  const among = shown > 0 && error.status !== 401; // keeps the reader's scroll position
  if (among) $('people').after($('problem'));
  else $('understood').before($('problem'));
  const problems = (error.errors || []).map((p) => {
    const name = p.field.replace('filters.', '');
    const field = fields().find((f) => f.name === name);
    if (field) field.setAttribute('aria-invalid', 'true');
    return element('li', null, `${plain(name)}: ${p.message}`);
  });
  $('problem').replaceChildren(
    element('p', null, problems.length > 0 ? 'Correct the search:'
      : [error.title, error.detail].filter(Boolean).join(': ')),
    error.after ? element('p', null, `Try again in ${error.after} s.`) : '',
    problems.length > 0 ? element('ul', null, ...problems) : '',
    error.status === 401 ? element('p', null, element('a', { href: 'sign-in' }, 'Sign in')) : '',
  );
  $('problem').hidden = false;
  if (!among) $('problem').scrollIntoView({ block: 'nearest' });
}

function understood(interpretation) {
  read = interpretation.filters;
  narrowed = Boolean(interpretation.network) && !current.scope;
  const parts = understanding(interpretation, { canChange, drop, edit });
  $('understood').replaceChildren(...parts);
  $('understood').hidden = parts.length === 0;
  const others = current.prompt ? didYouMean(interpretation, current, takeInstead) : [];
  $('meant').replaceChildren(...others);
  $('meant').hidden = others.length === 0;
}

// takeInstead searches for another reading of the prompt by its filters.
function takeInstead(alternative) {
  askWith(() => {
    $('prompt').value = '';
    for (const [name, value] of Object.entries(alternative.filters)) setFilter(name, value);
    if (alternative.network) $('scope').value = 'reach';
  });
}

function canChange(part) {
  return Boolean(part.span || filters.some((f) => f.name === part.field));
}

// edit selects the source of a part: its words in the prompt, or its field.
function edit(part) {
  fill();
  const field = part.span ? $('prompt') : filterField(part.field);
  showField(field);
  field.focus();
  if (!part.span) field.select();
  else field.setSelectionRange(...part.span.map((n) => [...field.value].slice(0,
    n).join('').length)); // spans count code points
}

// drop repeats the search without some parts: it removes their words from the prompt or clears their fields.
function drop(parts) {
  const spans = parts.filter((p) => p.span).map((p) => p.span).sort(([a],
    [b]) => b - a); // the last first, so earlier spans stay valid
  askWith(() => {
    for (const span of spans) $('prompt').value = without($('prompt').value.trim(), span);
    for (const p of parts) if (!p.span) filterField(p.field).value = '';
  });
}

// askWith repeats the current search with a change to the form.
function askWith(change) {
  fill();
  change();
  form.requestSubmit();
  if (asked()) $('state').focus();
}

// without cuts a span in code points out of a prompt, and the function words left at its end: a lone "in" would be read
// as Indiana.
function without(prompt, [from, to]) {
  const letters = [...prompt];
  letters.splice(from, to - from);
  return letters.join('').replaceAll(/ +/g,
    ' ').replace(/([\s,;]+(in|at|from|near|with|of|for|on|and|or|but|not))*[\s,;]*$/i, '').trim();
}

// narrow shows the facets of the search.
async function narrow() {
  if (!$('narrow').open) return;
  const values = element('div', null, 'Counting…');
  $('values').replaceChildren(values); // a late answer to an earlier search fills a detached element
  try {
    values.replaceChildren(...await counting(current, post, take));
  } catch (err) {
    values.replaceChildren(trouble(err));
  }
}

// take repeats the search with a value in a field.
function take(field, value) {
  askWith(() => setFilter(field, value));
}

// record adds a new search to the history and to the title of the page. It runs after the first person is painted,
// because browsers are slow at it. The search is in the fragment of the address: readers can bookmark it, and no
// server sees it.
function record() {
  if (unrecorded && `#${kept}` !== location.hash) history.pushState(null, '', `#${kept}`);
  unrecorded = false;
  document.title = [...[$('prompt'), ...filters].map((f) => kept.get(f.name)), title].filter(Boolean).join(' – ');
}

function recall() {
  kept = new URLSearchParams(location.hash.slice(1));
  unrecorded = false;
  fill();
  $('further').open = [...$('further').querySelectorAll('input')].some((i) => i.value);
  if (asked()) start();
  else stop();
}

// fill restores the form of the current search.
function fill() {
  for (const name of kept.keys()) if (!fields().some((f) => f.name === name)) filterField(name);
  offerScope(kept.get('scope') || '');
  for (const f of fields()) f.value = kept.get(f.name) || '';
  if (!$('scope').value) $('scope').value = ''; // the scope is unknown
}

keys(() => running && running.abort());
$('go').disabled = false; // until now the browser would have submitted the form itself
if (location.hash.length > 1 || !asked()) recall(); // keeps text typed while the page was loading
