import { confirmed } from './confirm.js';
import { button, counted, element, when } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { conceal, reveal } from './secret.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);

let app = null; // the open app
let users = null;

const path = (rest) => `v2/admin/apps/${app.id}${rest}`;

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

// openApp shows an app with its keys and users.
export async function openApp(of) {
  app = of;
  conceal();
  $('app-title').replaceChildren(element('bdi', null, app.name));
  users = pager(path('/users'), $('users'), $('more-users'), user, 'None yet. A sign-in link or a token creates one.');
  await Promise.all([showKeys(), users.show()]);
  $('app').hidden = false;
  $('app-title').focus();
}

async function showKeys() {
  const keys = await ask('GET', path('/keys'));
  $('keys').replaceChildren(...keys.map(key));
  if (keys.length === 0) $('keys').append(element('li', { class: 'about' }, 'None.'));
}

function key(k) {
  const about = [`created ${when(k.created_at)}`, k.last_used_at ? `last used ${when(k.last_used_at)}` : 'never used',
    k.expires_at ? `expires ${when(k.expires_at)}` : ''].filter(Boolean).join(', ');
  return element('li', null, element('div', null, element('bdi', null, k.name),
    element('p', { class: 'about' }, k.scopes.join(', ')), element('p', { class: 'about' }, about)),
  button('Revoke', k.name, () => attempt(async () => {
    if (!await confirmed(`Revoke the key ${k.name}?`,
      ['Programs that use it or a token it issued stop working. Neither can be restored.'], 'Revoke')) return;
    await ask('DELETE', path(`/keys/${k.id}`));
    await showKeys();
    changed();
    say(`The key ${k.name} is revoked.`);
  })));
}

function user(u) {
  const name = u.external_user_id;
  const about = [u.email, counted(u.tokens, 'token or session', 'tokens and sessions'),
    u.disabled_at ? `disabled ${when(u.disabled_at)}` : ''].filter(Boolean).join(', ');
  const offers = u.disabled_at ? [button('Enable', name, () => disable(name, false))]
    : [button('Sign-in link', name, () => attempt(() => link({ external_user_id: name }))),
      button('Disable', name, () => disable(name, true))];
  return element('li', null, element('div', null, element('bdi', null, name),
    element('p', { class: 'about' }, element('bdi', null, about))), element('div', { class: 'offers' }, ...offers));
}

function disable(name, disabled) {
  return attempt(async () => {
    await ask('PATCH', path('/users'), { external_user_id: name, disabled });
    await users.show();
    say(disabled ? `${name} is disabled. Their tokens and sessions no longer work.` : `${name} can sign in again.`);
  });
}

async function link(of) {
  const made = await ask('POST', path('/login-links'), of);
  await users.show();
  changed();
  const root = new URL('.', location.href).href.replace(/\/$/, '');
  reveal(`Send this link to ${of.external_user_id}. It works once, until ${when(made.expires_at)}`, root + made.path);
}

// changed makes the list of apps count keys and users again.
function changed() {
  document.dispatchEvent(new Event('apps-changed'));
}

$('new-key').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const given = new FormData(e.target);
    const spec = { name: given.get('name').trim(), scopes: given.getAll('scopes') };
    if ($('key-days').value) spec.expires_in_days = Number($('key-days').value);
    const made = await ask('POST', path('/keys'), spec);
    e.target.reset();
    await showKeys();
    changed();
    reveal('Copy the secret key now: it is shown only once', made.secret_key);
  });
});

$('new-link').addEventListener('submit', (e) => {
  e.preventDefault();
  const given = new FormData(e.target);
  const of = { external_user_id: given.get('external_user_id') };
  if (given.get('email')) of.email = given.get('email');
  if (given.get('operator')) of.operator = true;
  attempt(async () => {
    await link(of);
    e.target.reset();
  });
});

$('delete-app').addEventListener('click', () => attempt(async () => {
  if (!await confirmed(`Delete the app ${app.name}?`,
    ['Its keys, its users and all their data are deleted. Only a backup brings them back.'],
    'Delete the app', app.name)) return;
  await ask('DELETE', path(''));
  $('app').hidden = true;
  changed();
  say(`The app ${app.name} is deleted.`);
}));

$('close-app').addEventListener('click', () => {
  $('app').hidden = true;
  conceal();
  $('app-name').focus();
});
