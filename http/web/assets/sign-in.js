import { attempt } from './problem.js';
import { ask, noteSignedIn, signedIn, visiting } from './session.js';

const $ = (id) => document.getElementById(id);

// The link is in the fragment of the address, which browsers send to no server. The page removes it at once. Only the
// button uses it, so link scanners do not use it up.
let link = '';

function take() {
  const given = location.hash.slice(1);
  if (!given) return;
  link = given;
  history.replaceState(null, '', location.pathname);
  show();
}

async function show() {
  $('problem').hidden = true;
  $('link').hidden = !link;
  $('in').hidden = true;
  $('ask').hidden = Boolean(link) || signedIn();
  if (link) {
    $('go').focus();
    return;
  }
  if (!signedIn()) return;
  const known = await attempt(async () => {
    const me = await ask('GET', 'v2/user/me');
    $('name').textContent = me.name || me.id;
    $('out').hidden = visiting(); // the session is that of one's own data
    $('in').hidden = false;
  });
  $('problem').hidden = true;
  $('ask').hidden = known;
}

$('go').addEventListener('click', async () => {
  $('go').disabled = true;
  const done = await attempt(() => ask('POST', 'v2/auth/sessions', { link }));
  $('go').disabled = false;
  link = '';
  if (done) {
    noteSignedIn(true);
    location.assign('.');
    return;
  }
  $('link').hidden = true;
  $('ask').hidden = false;
});

$('out').addEventListener('click', async () => {
  if (!await attempt(() => ask('DELETE', 'v2/user/sessions/current'))) return;
  noteSignedIn(false);
  await show();
  $('state').textContent = 'You are signed out.';
  $('state').focus();
});

window.addEventListener('hashchange', take);
take();
if (!link) show();
