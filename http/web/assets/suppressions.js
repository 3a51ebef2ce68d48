import { button, element } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);
const reasons = { unsubscribed: 'unsubscribed', bounced: 'bounced', complained: 'complained', added: 'added by you' };
const list = pager('v2/suppressions', $('suppressions'), $('more-suppressions'), row, 'None.');

// showSuppressions lists the suppressed addresses.
export const showSuppressions = () => list.show();

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

function row(s) {
  const since = new Date(s.created_at).toLocaleDateString(undefined, { dateStyle: 'medium' });
  return element('li', null, element('div', null, element('bdi', null, s.address),
    element('p', { class: 'about' }, `${reasons[s.reason]}, ${since}`)),
  s.removable ? button('Remove', s.address, () => attempt(async () => {
    await ask('DELETE', `v2/suppressions/${encodeURIComponent(s.id)}`);
    await list.show();
    say(`Kith can write to ${s.address} again.`);
  })) : '');
}

$('new-suppression').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const { address } = await ask('POST', 'v2/suppressions', { address: $('suppressed-address').value.trim() });
    e.target.reset();
    await list.show();
    say(`Kith no longer writes to ${address}.`);
  });
});
