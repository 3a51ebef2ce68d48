import { confirmed } from './confirm.js';
import { button, element } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { openSequence, showSequences } from './sequences.js';
import { ask } from './session.js';
import { showSuppressions } from './suppressions.js';
import { sendersAre, write } from './writing.js';

const $ = (id) => document.getElementById(id);
const queue = pager('v2/sequences/activities?decision=null', $('queue'), $('more-queue'), entry,
  'No e-mails to approve.', (data) => data.activities);

function say(text) {
  $('state').textContent = text;
}

// entry shows an e-mail to decide on. Its keyboard shortcuts work while it has the focus.
function entry(activity) {
  const mail = activity.email_outgoing;
  const li = element('li', { tabindex: '-1', class: 'mail' });
  const edit = () => write({
    title: `E-mail to ${activity.person.full_name}`, to: mail.to_email, subject: mail.subject,
    text: mail.content.text_body || mail.content.body, at: mail.scheduled_at, approve: true,
    send: async (changes, approve) => {
      await decide({ decision: approve ? 'approved' : null, ...changes });
      if (approve) await leave('Approved.');
      else await stay();
    },
  });
  // stay shows the e-mail again, because the server has filled in its placeholders.
  const stay = async () => {
    await queue.show();
    say('Saved.');
    ($('queue').querySelector('.mail') || $('state')).focus();
  };
  const leave = async (says) => {
    const next = [li.nextElementSibling, li.previousElementSibling].find((one) => one);
    li.remove();
    say(says);
    if (!next) await queue.show();
    (next || $('state')).focus();
  };
  const decide = (body) => ask('PATCH', `v2/sequences/activities/${encodeURIComponent(activity.id)}`, body);
  const settle = (decision, says) => attempt(async () => {
    await decide({ decision });
    await leave(says);
  });
  const acts = mail ? [['Approve', 'a', () => settle('approved', 'Approved.')], ['Edit', 'e', edit],
    ['Reject', 'r', () => settle('rejected', 'Rejected.')]] : [];
  li.append(
    element('div', null, element('strong', null, element('bdi', null, activity.person.full_name)),
      element('span', { class: 'about' }, ' ', element('bdi', null, activity.sequence.name)),
      ...(mail ? preview(mail) : [element('p', null, activity.activity_type)])),
    element('div', { class: 'offers' },
      ...acts.map(([says, , press]) => button(says, activity.person.full_name, press))));
  li.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const act = acts.find(([, key]) => key === e.key);
    if (!act) return;
    e.preventDefault();
    act[2]();
  });
  return li;
}

function preview(mail) {
  const to = mail.to_email ? `To ${mail.to_email}` : 'No address yet: press Edit to enter one.';
  return [element('p', { class: 'about' }, element('bdi', null, to)),
    element('p', null, element('strong', null, element('bdi', null, mail.subject))),
    element('p', { class: 'text' }, mail.content.text_body || mail.content.body)];
}

// Arrow keys move between e-mails unless the focus is in a field.
document.addEventListener('keydown', (e) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (!step || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || document.querySelector('dialog[open]')) return;
  const mails = [...$('queue').querySelectorAll('.mail')];
  const next = mails[mails.indexOf(document.activeElement.closest('.mail')) + step];
  if (!next) return;
  e.preventDefault();
  next.focus();
});

async function showAccounts() {
  try {
    const { integrations } = await ask('GET', 'v2/user/integrations');
    sendersAre(integrations);
    $('accounts').replaceChildren(...integrations.map(account));
    if (integrations.length === 0) {
      $('accounts').append(element('li', { class: 'about' }, 'None yet. Add one to send e-mails.'));
    }
  } catch (err) {
    if (!err.error || err.error.code !== 'NOTHING_IS_SENT') throw err;
    $('accounts').replaceChildren(element('li', { class: 'about' }, 'The demo sends no e-mail.'));
    $('adding').hidden = true;
  }
}

function account(a) {
  return element('li', null, element('div', null, element('bdi', null, a.from_email),
    element('p', { class: 'about' }, `${a.host}:${a.port}${a.security === 'none' ? ' without encryption' : ''}, `
      + `at most ${a.hourly_cap} an hour and ${a.daily_cap} a day`)),
  button('Remove', a.from_email, () => attempt(async () => {
    if (!await confirmed(`Remove the mail account ${a.from_email}?`,
      ['E-mails that use it wait until you choose another account for each. Its password and the secret for feedback '
        + 'are deleted.'], 'Remove')) return;
    await ask('DELETE', `v2/user/integrations/${a.id}`);
    await showAccounts();
    say('Removed.');
  })));
}

$('new-account').addEventListener('submit', (e) => {
  e.preventDefault();
  const given = Object.fromEntries([...new FormData(e.target)].filter(([, value]) => value !== ''));
  attempt(async () => {
    await ask('POST', 'v2/user/integrations', { ...given, port: Number(given.port) });
    e.target.reset();
    await showAccounts();
    say('The mail account is added.');
  });
});

$('new-sequence').addEventListener('submit', (e) => {
  e.preventDefault();
  attempt(async () => {
    const made = await ask('POST', 'v2/sequences', { name: $('sequence-name').value.trim() });
    $('sequence-name').value = '';
    await showSequences();
    await openSequence(made);
  });
});

document.addEventListener('drafted', () => attempt(() => queue.show()));
await attempt(async () => {
  await Promise.all([queue.show(), showSequences(), showSuppressions()]);
  await showAccounts();
});
