import { confirmed } from './confirm.js';
import { button, counted, element, when } from './dom.js';
import { attempt } from './problem.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);

function say(text) {
  $('state').textContent = text;
  $('state').focus();
}

// showWebhooks lists the webhooks of the user; the demo has none.
export async function showWebhooks() {
  try {
    const all = await ask('GET', 'v2/user/webhooks');
    $('webhooks').replaceChildren(...all.map(row));
    if (all.length === 0) $('webhooks').append(element('li', { class: 'about' }, 'None.'));
  } catch (err) {
    if (!err.error || err.error.code !== 'NOTHING_IS_SENT') throw err;
    $('webhooks').replaceChildren(element('li', { class: 'about' }, 'The demo sends no events.'));
    $('new-webhook').hidden = true;
  }
}

function row(w) {
  const state = w.failing_since
    ? `failing since ${when(w.failing_since)}, ${counted(w.waiting, 'event')} waiting: ${w.failure}` : 'working';
  return element('li', null, element('div', null, element('bdi', null, w.url),
    element('p', { class: w.failing_since ? 'about bad' : 'about' }, element('bdi', null, state))),
  element('div', { class: 'offers' }, button('Test', w.url, () => attempt(async () => {
    say('Sending…');
    const { accepted, failure } = await ask('POST', `v2/user/webhooks/${w.id}/test`);
    say(accepted ? 'The test event was accepted.' : `The test event was not accepted: ${failure}`);
  })), button('Remove', w.url, () => attempt(async () => {
    if (!await confirmed(`Remove the webhook ${w.url}?`, ['Its signing secret is deleted and cannot be shown again.',
      w.waiting > 0 && `${counted(w.waiting, 'event')} not delivered yet: lost.`], 'Remove')) return;
    await ask('DELETE', `v2/user/webhooks/${w.id}`);
    await showWebhooks();
    say('The webhook is removed.');
  }))));
}

$('new-webhook').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const made = await ask('POST', 'v2/user/webhooks', { url: $('webhook-url').value.trim() });
    e.target.reset();
    $('webhook-secret').value = made.secret;
    $('webhook-made').hidden = false;
    $('webhook-secret').focus();
    $('webhook-secret').select();
    await showWebhooks();
  });
});
