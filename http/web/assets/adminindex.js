import { counted, element, when } from './dom.js';
import { attempt } from './problem.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);
const pause = 2000; // in ms, between polls of a rebuild

// showIndex shows the state of the index, and polls a rebuild until it ends.
export async function showIndex() {
  draw(await ask('GET', 'v2/admin/index'));
}

function draw(index) {
  const number = (of) => `${of.indexed.toLocaleString()} of about ${of.stored.toLocaleString()}`;
  const state = (index.is_complete && index.is_current && 'complete') || 'being built';
  const rows = [['Engine', index.engine], ['State', state], ['People', number(index.people)],
    ['Companies', number(index.companies)], ['Pending changes', index.waiting.toLocaleString()],
    ['Versions', index.versions.map((v) => v.name + (v.active ? ' (searched)' : '')).join(', ')],
    ['Last rebuild', rebuilt(index.rebuild)]];
  $('index').replaceChildren(...rows.flatMap(([name, is]) => [element('dt', null, name), element('dd', null, is)]));
  const running = index.rebuild !== null && index.rebuild.status === 'running';
  $('rebuild').disabled = running;
  if (running) setTimeout(() => attempt(showIndex), pause);
}

function rebuilt(rebuild) {
  if (rebuild === null) return 'none since the server started';
  switch (rebuild.status) {
    case 'running': return `running, ${rebuild.done.toLocaleString()} of ${rebuild.total.toLocaleString()}`;
    case 'failed': return `failed ${when(rebuild.ended_at)}; see the server log`;
  }
  return `ended ${when(rebuild.ended_at)}`;
}

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

$('rebuild').addEventListener('click', () => attempt(async () => {
  draw(await ask('POST', 'v2/admin/index/rebuild'));
  say('The index is being rebuilt. Searches keep working.');
}));

$('prune').addEventListener('click', () => attempt(async () => {
  const { dropped } = await ask('POST', 'v2/admin/index/prune');
  await showIndex();
  say(dropped === 0 ? 'There are no old versions to drop.' : `Dropped ${counted(dropped, 'version')}.`);
}));
