import { element } from './dom.js';
import { ask, signedIn, visiting } from './session.js';

// Says in the bar of every page who is signed in.
const who = document.getElementById('who');

async function name() {
  if (visiting()) return 'Demo: sign in';
  if (!signedIn()) return 'Sign in';
  try {
    const me = await ask('GET', 'v2/user/me');
    return me.name || me.id;
  } catch {
    return 'Sign in';
  }
}

if (who) who.replaceChildren(element('bdi', null, await name()));
