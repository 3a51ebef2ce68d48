import { openApp } from './adminapp.js';
import { showIndex } from './adminindex.js';
import { showJobs } from './adminjobs.js';
import { button, counted, element } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { ask } from './session.js';
import { reveal } from './secret.js';

const $ = (id) => document.getElementById(id);
const apps = pager('v2/admin/apps', $('apps'), $('more-apps'), row, 'None yet.');

function row(app) {
  return element('li', null, element('div', null, element('bdi', null, app.name),
    element('p', { class: 'about' }, `${counted(app.keys, 'key')}, ${counted(app.users, 'user')}`)),
  button('Open', app.name, () => attempt(() => openApp(app))));
}

$('new-app').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const made = await ask('POST', 'v2/admin/apps', { name: $('app-name').value.trim() });
    $('app-name').value = '';
    await apps.show();
    await openApp(made);
    reveal('Copy the secret key now: it is shown only once', made.secret_key);
  });
});

document.addEventListener('apps-changed', () => attempt(apps.show));

await attempt(async () => {
  await apps.show();
  await Promise.all([showJobs(), showIndex()]);
});
