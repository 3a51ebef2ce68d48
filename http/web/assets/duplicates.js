import { apart, button, element, when } from './dom.js';
import { pager } from './pager.js';
import { line, place, profile, work } from './person.js';
import { attempt } from './problem.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);
const pairs = pager('v2/people/duplicates', $('pairs'), $('more-pairs'), pair, 'None.');
const decisions = { merge: 'One person', apart: 'Two people' };

// showDuplicates lists the open pairs and the decided ones.
export async function showDuplicates() {
  await Promise.all([pairs.show(), showDecided()]);
}

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

// pair shows two records side by side.
function pair(p) {
  const names = p.people.map((one) => one.full_name).join(' and ');
  const settle = (decision, says) => () => decide(p.people.map((one) => one.id), decision, says);
  const offers = p.decidable
    ? [button('Merge', names, settle('merge', `${p.people[0].full_name} is one person now.`)),
      button('Keep apart', names, settle('apart', `${names} stay two people.`))]
    : [element('span', { class: 'about' }, 'Other users see these records too, so the operator decides.')];
  return element('li', { class: 'pair' }, element('div', { class: 'pair-sides' }, ...p.people.map(side)),
    element('p', { class: 'about' }, ...apart(p.reasons, '; ')), element('div', { class: 'offers' }, ...offers));
}

function side(person) {
  const before = (person.work_history || []).map((job) => line('about', work(job)));
  return element('div', null, element('h3', null, ...profile(person)), line(null, work(person.work_relevant || {})),
    line('about', apart([person.headline])), line('about', apart([place(person)])),
    line('about', apart([person.email])), ...before);
}

function decide(people, decision, says) {
  return attempt(async () => {
    await ask('POST', 'v2/people/duplicates', { people, decision });
    await showDuplicates();
    say(says);
  });
}

async function showDecided() {
  const all = await ask('GET', 'v2/people/duplicates/decided');
  $('decided').replaceChildren(...all.map(decided));
  $('decided-part').hidden = all.length === 0;
}

function decided(d) {
  const names = d.people.map((one) => one.full_name).join(' and ');
  const about = (one) => [one.full_name, one.headline].filter(Boolean).join(', ');
  return element('li', null, element('div', null, ...apart(d.people.map(about), ' and '),
    element('p', { class: 'about' }, `${decisions[d.decision]}, ${when(d.decided_at)}`)),
  button('Undo', names, () => decide(d.people.map((one) => one.id), null, 'The decision is undone.')));
}
