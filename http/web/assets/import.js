import { confirmed } from './confirm.js';
import { apart, counted, element } from './dom.js';
import { problem, trouble } from './problem.js';
import { Lost, Refused, ask, signedIn, visiting } from './session.js';

const $ = (id) => document.getElementById(id);
const pause = 1000; // in ms, between polls of an import

let chosen = []; // the files in the preview
let sending = null; // the request under way
let watching = 0; // counts calls: only the latest shows progress

$('files').addEventListener('change', () => choose([...$('files').files]));
for (const name of ['dragover', 'drop', 'dragleave']) $('drop').addEventListener(name, drag);
$('map').addEventListener('change', () => choose(chosen));
$('store').addEventListener('click', store);
$('stop').addEventListener('click', () => sending && sending.abort());
$('import').addEventListener('submit', (e) => e.preventDefault());

function drag(e) {
  e.preventDefault();
  $('drop').classList.toggle('over', e.type === 'dragover');
  if (e.type === 'drop') choose([...e.dataTransfer.files]);
}

// choose shows a preview of files. Nothing is stored.
async function choose(files) {
  if (files.length === 0) return;
  watching++;
  chosen = files;
  $('found').replaceChildren();
  await attempt('Reading the files…', async () => {
    const look = await send(true);
    $('found').replaceChildren(...preview(look));
    const { people, companies } = look.recognised;
    $('store').hidden = look.problem !== '';
    if (look.problem) problem({ detail: look.problem });
    const found = [counted(people, 'person', 'people'), companies && counted(companies, 'company', 'companies'),
      !look.complete && 'and more in the unread part'].filter(Boolean).join(', ');
    say(look.problem ? '' : `${found}. Nothing is stored yet.`);
  });
  $('state').focus();
}

// store uploads the files for good, and polls until they are stored.
async function store() {
  const mine = ++watching;
  await attempt('Sending the files…', async () => {
    const made = await send(false);
    $('files').value = '';
    chosen = [];
    await follow(made.id, mine);
  });
  await list();
}

async function follow(id, mine) {
  for (;;) {
    const now = await ask('GET', `v2/imports/${id}`);
    if (mine !== watching) return;
    if (now.status === 'succeeded') {
      $('found').replaceChildren(...now.files.map(outcome));
      say(`Done: ${result(now)}.`);
      return;
    }
    if (now.status === 'failed') throw new Refused({ detail: now.error.message });
    say(now.status === 'queued' ? 'Queued…' : 'Storing…');
    advance(now.progress);
    await new Promise((done) => { setTimeout(done, pause); });
  }
}

// attempt runs what() and shows its error.
async function attempt(says, what) {
  $('problem').hidden = true;
  $('store').hidden = true;
  say(says);
  advance(0);
  try {
    await what();
  } catch (err) {
    say('');
    if (err.name === 'AbortError') say('Cancelled. Nothing was stored.');
    else problem(err.error || { detail: trouble(err) });
  }
  $('progress').hidden = true;
}

// send uploads the files with XMLHttpRequest, because fetch does not report upload progress.
function send(dryRun) {
  const form = new FormData();
  form.append('dry_run', String(dryRun));
  form.append('map', $('map').value);
  for (const f of chosen) form.append('file', f, f.name);
  const request = new XMLHttpRequest();
  sending = request;
  $('stop').hidden = false;
  return new Promise((done, failed) => {
    request.open('POST', 'v2/imports');
    request.upload.addEventListener('progress', (e) => e.lengthComputable && advance((100 * e.loaded) / e.total));
    request.addEventListener('load', () => {
      const said = parsed(request.responseText);
      if (request.status < 300 && said) done(said.data);
      else {
        failed(new Refused({ detail: `The server answered ${request.status}.`, ...(said && said.error),
          after: request.getResponseHeader('Retry-After') }));
      }
    });
    request.addEventListener('error', () => failed(new Lost('no answer')));
    request.addEventListener('abort', () => failed(new DOMException('cancelled', 'AbortError')));
    request.send(form);
  }).finally(() => {
    sending = null;
    $('stop').hidden = true;
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function preview(look) {
  return [
    ...look.files.map((f) => about(f, columns(f), reasons(f))),
    look.more_files ? element('p', null, `And ${counted(look.more_files, 'more file')}.`) : '',
    ...titled(look.people.length === 1 ? 'One person' : `The first ${counted(look.people.length, 'person', 'people')}`,
      look.people.map(person)),
    ...titled('Contacts', look.contacts.map((c) => element('li', null, element('bdi', null, c.with),
      `: ${c.kind}, ${c.outgoing} out, ${c.incoming} in, ${c.first} to ${c.last}`))),
    ...look.notes.map((n) => element('p', null, n)),
  ].filter(Boolean);
}

function about(f, ...rest) {
  const what = f.format ? `${f.title}, ${counted(f.rows, 'row')}` : 'not recognised';
  return element('article', { class: 'file' }, element('h3', null, element('bdi', null, f.name)),
    element('p', null, what), f.problem && element('p', { class: 'bad' }, f.problem), ...rest);
}

function columns(f) {
  if (f.columns.length === 0) return '';
  const row = (c) => element('tr', null, element('td', null, element('bdi', null, c.name)),
    element('td', null, c.as.join(', ') || 'not used'));
  const used = f.columns.filter((c) => c.as.length > 0).length;
  return element('details', null, element('summary', null, `${used} of ${counted(f.columns.length, 'column')} used`),
    element('table', null, element('tbody', null, ...f.columns.map(row))));
}

function reasons(f) {
  if (f.reasons.length === 0) return '';
  return element('ul', null, ...f.reasons.map((r) => element('li', null,
    `${r.count} left out: ${r.reason}${r.example ? ` (${r.example})` : ''}`)));
}

function person(p) {
  const job = [p.title, p.company].filter(Boolean).join(' at ');
  const place = [p.location.city, p.location.country].filter(Boolean).join(', ');
  const known = [p.relationship, p.since && `since ${p.since}`].filter(Boolean).join(' ');
  return element('li', null, ...apart([p.full_name, job, place, p.emails.join(' '), known], ' · '));
}

function outcome(f) {
  const { created, merged, unchanged, rejected } = f.people;
  const parts = [[created, 'new'], [merged, 'merged'], [unchanged, 'unchanged'], [rejected, 'not stored']];
  const counts = parts.filter(([n]) => n > 0).map(([n, what]) => `${n.toLocaleString()} ${what}`);
  return about(f, element('p', null, counts.join(', ') || 'nobody'), reasons(f));
}

function result(m) {
  const people = m.files.reduce((n, f) => n + f.people.created + f.people.merged + f.people.unchanged, 0);
  const known = m.relationships.created + m.relationships.updated + m.relationships.unchanged;
  const doubtful = m.doubtful ? `, ${counted(m.doubtful, 'possible duplicate')}` : '';
  return `${counted(people, 'person', 'people')} (you know ${known.toLocaleString()})${doubtful}`;
}

// list shows earlier imports. Without a session there are none.
async function list() {
  $('past').hidden = true;
  if (!signedIn() && !visiting()) return;
  try {
    const all = await ask('GET', 'v2/imports');
    $('imports').replaceChildren(...all.map(past));
    $('past').hidden = all.length === 0;
  } catch (err) {
    problem(err.error || { detail: trouble(err) });
  }
}

function past(m) {
  const back = element('button', { type: 'button', class: 'quiet' }, 'Undo');
  back.disabled = m.status === 'deleting';
  const what = m.files.length > 0 ? m.files.map((f) => f.name).join(', ') : 'Files';
  back.addEventListener('click', async () => {
    const of = m.files.length > 1 ? counted(m.files.length, 'file') : what;
    if (await confirmed(`Undo the import of ${of}?`, losses(m), 'Undo the import')) await takeBack(m.id, back);
  });
  const how = { queued: 'queued', running: `being stored, ${m.progress} %`, succeeded: result(m),
    failed: m.error && m.error.message, deleting: 'being undone' }[m.status];
  return element('li', { class: 'file' }, element('h3', null, element('bdi', null, what)),
    element('p', null, `${new Date(m.created_at).toLocaleString()}: ${how}`), back);
}

// losses says what undoing an import destroys, and what stays.
function losses(m) {
  const sum = (of) => m.files.reduce((n, f) => n + of(f), 0);
  const parts = [[sum((f) => f.people.created), 'person', 'people'],
    [sum((f) => f.companies.created), 'company', 'companies'], [m.relationships.created, 'relationship'],
    [m.contacts.people, 'history of contacts', 'histories of contacts']];
  const gone = parts.filter(([n]) => n > 0).map((part) => counted(...part)).join(', ');
  return [gone && `This import added ${gone}.`,
    'What no other import contains is deleted, and people who are deleted leave your lists.',
    'People stay if you know them otherwise, if they are leads, or if you decided about a duplicate of them.',
    'Importing the files again brings back what they contain, but not the lists of the people.'];
}

// takeBack deletes the data that only this import added.
async function takeBack(id, button) {
  button.disabled = true;
  const mine = ++watching;
  await attempt('Undoing the import…', async () => {
    await ask('DELETE', `v2/imports/${id}`);
    for (let gone = false; !gone && mine === watching;) {
      await new Promise((done) => { setTimeout(done, pause); });
      gone = await ask('GET', `v2/imports/${id}`).then(() => false, (err) => {
        if (err.error && err.error.status === 404) return true;
        throw err;
      });
    }
    $('found').replaceChildren();
    say('Undone. Data that only this import added is deleted.');
  });
  await list();
}

function titled(title, items) {
  return items.length > 0 ? [element('h3', null, title), element('ul', null, ...items)] : [];
}

function say(text) {
  $('state').textContent = text;
}

function advance(percent) {
  $('progress').hidden = false;
  $('progress').value = percent;
}

list();
choose([...$('files').files]); // chosen while the page was loading
