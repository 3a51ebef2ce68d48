import { element } from './dom.js';
import { ask, demoServed, signedIn, visit, visiting } from './session.js';

// Shows in the bar of every page who is signed in, and below it whose people the page shows.
const who = document.getElementById('who');
const dataset = document.getElementById('dataset');

async function account() {
  if (!signedIn()) return null;
  return ask('GET', 'v2/user/me').catch(() => null);
}

function name(me) {
  if (me) return me.name || me.id;
  return visiting() ? 'Demo: sign in' : 'Sign in';
}

// offerAdmin links to the operator's page. Only operators see the link.
function offerAdmin() {
  if (document.querySelector('.bar a[href="admin"]')) return;
  who.before(element('a', { href: 'admin' }, 'Admin'), ' ');
}

// change returns a button that shows the demo or one's own data, beginning with this page.
function change(text, toDemo, page) {
  const button = element('button', { type: 'button', class: 'quiet' }, text);
  button.addEventListener('click', () => {
    visit(toDemo);
    location.assign(page);
  });
  return button;
}

// sides says whether the page shows the demo or one's own data, and leads to the other.
function sides(me) {
  const demo = 'Demo: invented people';
  if (visiting() && signedIn()) return [demo, change('Use your own', false, 'import')];
  if (visiting() || (me && me.demo)) return [demo, element('a', { href: 'sign-in' }, 'Use your own')];
  return ['Your own data', change('Back to the demo', true, '.')];
}

if (who) {
  const me = await account();
  if (me && me.token.scopes.includes('operator')) offerAdmin();
  who.replaceChildren(element('bdi', null, name(me)));
  if (demoServed() && (me || visiting())) {
    dataset.replaceChildren(...sides(me));
    dataset.hidden = false;
  }
}
