import { introduction, saving, sequencing } from './actions.js';
import { apart, counted, element, plain } from './dom.js';
import { labels, paths } from './paths.js';
import { line, place, profile, work } from './person.js';
import { trouble } from './problem.js';
import { ask } from './session.js';

const dialog = document.getElementById('drawer');
let asked = 0; // counts calls: only the latest is shown

// open shows the details of a person, with the form of an action if what names one.
export function open(person, what) {
  const mine = ++asked;
  const body = element('div', null, element('p', { role: 'status' }, 'Loading…'));
  const ways = reached(person);
  const { act, parts } = acting([person], ways);
  dialog.replaceChildren(head(person, act), ...parts, body);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  act(what);
  Promise.all([ask('GET', `v2/people/${person.id}/profile`), ways]).then(
    ([known, reach]) => mine === asked && body.replaceChildren(...full(person, known, reach)),
    (err) => mine === asked && body.replaceChildren(element('p', { class: 'bad' }, trouble(err))));
}

// openAll shows the form of an action on several people.
export function openAll(people, what) {
  asked++;
  const { act, parts } = acting(people);
  dialog.replaceChildren(closing(), element('h2', { id: 'drawer-name' },
    counted(people.length, 'person', 'people')),
    line('about', apart(people.map((p) => p.full_name), ', ')), ...parts);
  dialog.showModal();
  act(what);
}

// acting returns act(what), which shows the form of an action on people, and the elements it uses.
function acting(people, ways) {
  const done = element('p', { class: 'state', role: 'status', tabindex: '-1' });
  const form = element('div', { class: 'act' });
  const say = (text) => {
    done.textContent = text;
    done.focus();
  };
  const act = async (name) => {
    const forms = { save: saving, sequence: sequencing, introduction };
    if (!forms[name]) return;
    done.textContent = '';
    try {
      form.replaceChildren('Loading…');
      form.replaceChildren(await forms[name](people, say, ways));
      const first = form.querySelector('select, input, textarea, button, a');
      if (first) first.focus();
    } catch (err) {
      form.replaceChildren();
      say(trouble(err));
    }
  };
  return { act, parts: [form, done] };
}

function closing() {
  const close = element('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close' }, '×');
  close.addEventListener('click', () => dialog.close());
  return close;
}

// reached requests the ways in. The code that shows them reports a failure.
function reached(person) {
  const ways = ask('POST', `v2/people/${person.id}/paths`, {});
  ways.catch(() => {});
  return ways;
}

function head(person, act) {
  const button = (what, says) => {
    const b = element('button', { type: 'button', class: 'quiet' }, says);
    b.addEventListener('click', () => act(what));
    return b;
  };
  return element('header', null, closing(), element('h2', { id: 'drawer-name' }, ...profile(person)),
    line(null, work(person.work_relevant || {})), line('about', apart([place(person)])),
    element('p', { class: 'offers' }, button('save', 'Save to list'), button('sequence', 'Add to sequence'),
      button('introduction', 'Ask for an introduction')));
}

function full(person, known, ways) {
  const jobs = known.work_history.length > 0 ? known.work_history : [known.work_relevant].filter(Boolean);
  const schools = known.education_history.map((e) => {
    const studies = [e.degree, e.field_of_study].filter(Boolean).join(', ');
    return { what: apart([studies, e.institute], ' at '), of: e };
  });
  return [
    line(null, apart([known.about_me])),
    ...list('Why this person', ((person.match && person.match.criteria) || []).filter(telling).map(reason)),
    ...list('Introductions', introductions(person.match)),
    ...paths(ways.paths, person.full_name),
    ...timeline('Career', jobs.map((j) => ({ what: work(j), of: j }))),
    ...timeline('Education', schools),
    ...list('Skills', known.skills.map((s) => element('li', null, ...apart([s]))), 'skills'),
  ].filter(Boolean);
}

// telling reports whether a criterion has evidence. Exclusions are not shown.
function telling(criterion) {
  return criterion.evidence !== '' && !criterion.criterion.includes(': -');
}

function reason(c) {
  const kept = c.satisfied === 'yes' ? '' : ` (${c.satisfied})`;
  return element('li', { title: c.criterion }, `${plain(c.criterion.split(': ')[0])}${kept}: `, ...apart([c.evidence]));
}

// introductions lists the requested people that a person can introduce, with the strength of each path.
function introductions(match) {
  const known = (match && match.network && match.network.introduces) || [];
  return known.map((i) => element('li', null, 'To ', ...apart([i.person.full_name]),
    ` (${labels[i.score_label] || 'weak'})`));
}

function timeline(title, entries) {
  if (entries.length === 0) return [];
  return [element('h3', null, title),
    element('ol', { class: 'timeline', role: 'list' }, ...entries.map(({ what, of }) => element('li', null,
    element('span', { class: 'about' }, period(of)), ' ', element('span', null, ...what))))];
}

function period(of) {
  if (!of.start_date && !of.end_date) return 'dates unknown';
  const start = day(of.start_date, of.start_date_precision) || '?';
  return `${start} to ${day(of.end_date, of.end_date_precision) || 'today'}`;
}

// day returns a date with the precision of the record.
function day(date, precision) {
  return date && date.slice(0, { year: 4, month: 7 }[precision]);
}

function list(title, items, name) {
  if (items.length === 0) return [];
  return [element('h3', null, title), element('ul', name && { class: name }, ...items)];
}
