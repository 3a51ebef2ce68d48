import { trouble } from './problem.js';

const $ = (id) => document.getElementById(id);
let current = null; // what is written
let accounts = []; // what it may be sent through

// sendersAre has the form offer mail accounts: the first for a new e-mail, and none in place of what a written one has.
export function sendersAre(all) {
  accounts = all;
}

// write shows the form for an e-mail. It calls send({subject, body, scheduled_at}, approve), and stays open where that
// is refused.
export function write(mail) {
  current = mail;
  $('writing-title').textContent = mail.title;
  $('subject').value = mail.subject;
  $('text').value = mail.text;
  $('at').value = mail.at ? local(mail.at) : '';
  $('approve').hidden = !mail.approve;
  $('account').replaceChildren(...(mail.approve ? [new Option('the account it has', '')] : []),
    ...accounts.map((a) => new Option(a.from_email, a.id)));
  $('through').hidden = accounts.length === 0;
  $('refused').textContent = '';
  $('writing').showModal();
  $('subject').focus();
}

// local is a time as the field takes it: in the zone of the browser.
function local(at) {
  const date = new Date(at);
  return new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

$('mail').addEventListener('submit', async (e) => {
  e.preventDefault();
  const given = { subject: $('subject').value, body: $('text').value };
  if ($('at').value) given.scheduled_at = new Date($('at').value).toISOString();
  if ($('account').value) given.user_integration_id = Number($('account').value);
  const buttons = [$('save'), $('approve')];
  for (const b of buttons) b.disabled = true;
  try {
    await current.send(given, e.submitter === $('approve'));
    $('writing').close();
  } catch (err) {
    const problems = (err.error && err.error.errors) || [];
    $('refused').textContent = problems.length > 0 ? problems.map((p) => `${p.field}: ${p.message}`).join('; ')
      : trouble(err);
  }
  for (const b of buttons) b.disabled = false;
});

$('writing').querySelector('.close').addEventListener('click', () => $('writing').close());
