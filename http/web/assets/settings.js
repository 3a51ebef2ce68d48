import { confirmed } from './confirm.js';
import { button, element, when } from './dom.js';
import { attempt } from './problem.js';
import { ask, noteSignedIn, reached, request, visiting } from './session.js';
import { showWebhooks } from './webhooks.js';

const $ = (id) => document.getElementById(id);

function say(text) {
  $('state').textContent = text;
}

async function account() {
  const me = await ask('GET', 'v2/user/me');
  const rows = [['Id', me.id], ['E-mail', me.email], ['People you know', me.network.relationships.toLocaleString()]];
  $('account').replaceChildren(...rows.flatMap(([name, is]) => [element('dt', null, name),
    element('dd', null, element('bdi', null, is))]));
  $('share').value = me.network.sharing;
}

async function sessions() {
  const all = await ask('GET', 'v2/user/sessions');
  $('sessions').replaceChildren(...all.map(session));
  if (all.length === 0) $('sessions').append(element('li', null, 'None.'));
  $('everywhere').hidden = all.length === 0;
}

function session(s) {
  const name = browser(s.agent);
  const out = element('button', { type: 'button', class: 'quiet', 'aria-label': `Sign out ${name}` }, 'Sign out');
  out.addEventListener('click', () => end(s));
  return element('li', null,
    element('div', null, element('strong', { title: s.agent }, element('bdi', null, name)),
      s.current ? ' (this browser)' : '',
      element('p', { class: 'about' }, `last used ${when(s.last_used_at)}, signed in ${when(s.created_at)}`)),
    out);
}

// browser returns a short name for a user agent.
function browser(agent) {
  const names = [['Edg/', 'Edge'], ['Firefox/', 'Firefox'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']];
  const systems = [['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Windows', 'Windows'],
    ['Mac OS', 'macOS'], ['Linux', 'Linux']];
  const first = (of) => (of.find(([mark]) => agent.includes(mark)) || [])[1];
  return [first(names), first(systems)].filter(Boolean).join(' on ') || agent.slice(0, 60) || 'Unknown browser';
}

async function tokens() {
  const all = await ask('GET', 'v2/user/tokens');
  $('tokens').replaceChildren(...all.map(token));
  if (all.length === 0) $('tokens').append(element('li', { class: 'about' }, 'None.'));
}

function token(t) {
  const by = t.key ? ` with the app key ${t.key}` : '';
  return element('li', null, element('div', null, t.scopes.join(', '),
    element('p', { class: 'about' }, element('bdi', null,
      `created ${when(t.created_at)}${by}, valid until ${when(t.expires_at)}`))),
  button('Revoke', `the token created ${when(t.created_at)}`, () => attempt(async () => {
    if (!await confirmed('Revoke the token?', [`Created ${when(t.created_at)}, for ${t.scopes.join(', ')}.`,
      'Programs that use it stop working. It cannot be restored.'], 'Revoke')) return;
    await ask('DELETE', `v2/user/tokens/${encodeURIComponent(t.id)}`);
    await tokens();
    say('The token is revoked.');
    $('state').focus();
  })));
}

$('new-token').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const scopes = new FormData(e.target).getAll('scopes');
    const made = await ask('POST', 'v2/user/tokens', { scopes, expires_in_days: Number($('days').value) });
    $('secret').value = made.token;
    $('made').hidden = false;
    $('secret').select();
    await tokens();
  });
});

async function end(s) {
  const done = await attempt(async () => {
    await ask('DELETE', `v2/user/sessions/${encodeURIComponent(s.id)}`);
    if (s.current) leave();
    else await sessions();
  });
  if (!done || s.current) return;
  say('Signed out there.');
  $('state').focus();
}

function leave() {
  if (!visiting()) noteSignedIn(false); // who visits the demo keeps the session of their own data
  location.assign('sign-in');
}

$('everywhere').addEventListener('click', () => attempt(async () => {
  await ask('DELETE', 'v2/user/sessions');
  leave();
}));

$('share').addEventListener('change', async () => {
  const sharing = $('share').value;
  if (await attempt(() => ask('PATCH', 'v2/user/me', { sharing }))) say('Saved.');
  else await attempt(account);
});

$('sharing').addEventListener('submit', (e) => e.preventDefault());

$('export').addEventListener('click', async () => {
  say('Preparing the file…');
  const done = await attempt(async () => {
    const answer = await request('GET', 'v2/user/export');
    const address = URL.createObjectURL(await reached(answer.blob()));
    element('a', { href: address, download: 'kith-export.ndjson' }).click();
    URL.revokeObjectURL(address);
  });
  say(done ? 'The file is downloaded.' : '');
});

await attempt(async () => {
  await account();
  await sessions();
  await tokens();
  await showWebhooks();
});
