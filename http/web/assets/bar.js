import { element } from './dom.js';
import { ask, signedIn, visiting } from './session.js';

// Shows the signed-in user in the bar of every page.
const who = document.getElementById('who');

async function name() {
  if (visiting()) return 'Demo: sign in';
  if (!signedIn()) return 'Sign in';
  try {
    const me = await ask('GET', 'v2/user/me');
    if (me.token.scopes.includes('operator')) offerAdmin();
    return me.name || me.id;
  } catch {
    return 'Sign in';
  }
}

// offerAdmin links to the operator's page. Only operators see the link.
function offerAdmin() {
  if (document.querySelector('.bar a[href="admin"]')) return;
  who.before(element('a', { href: 'admin' }, 'Admin'), ' ');
}

if (who) who.replaceChildren(element('bdi', null, await name()));
