import { trouble } from './problem.js';

const $ = (id) => document.getElementById(id);
let current = null; // the open e-mail
let accounts = []; // the mail accounts of the user

// sendersAre sets the mail accounts of the form. A new e-mail uses the first; an existing one keeps its own.
export function sendersAre(all) {
  accounts = all;
}

// write shows the form for an e-mail. It calls mail.send(changes, approve), the changes as a request has them, and stays
// open if that fails.
export function write(mail) {
  current = mail;
  $('writing-title').textContent = mail.title;
  $('to').value = mail.to;
  $('subject').value = mail.subject;
  $('text').value = mail.text;
  $('at').value = mail.at ? local(mail.at) : '';
  $('approve').hidden = !mail.approve;
  $('account').replaceChildren(...(mail.approve ? [new Option('unchanged', '')] : []),
    ...accounts.map((a) => new Option(a.from_email, a.id)));
  $('through').hidden = accounts.length === 0;
  $('refused').textContent = '';
  $('writing').showModal();
  $(mail.to ? 'subject' : 'to').focus();
}

// local formats a time for the field, in the time zone of the browser.
function local(at) {
  const date = new Date(at);
  return new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

$('mail').addEventListener('submit', async (e) => {
  e.preventDefault();
  const given = { subject: $('subject').value, body: $('text').value };
  const to = $('to').value.trim();
  if (to && to !== current.to) given.to_email = to;
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
