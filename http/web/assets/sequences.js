import { confirmed } from './confirm.js';
import { button, counted, element } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { all, ask } from './session.js';
import { write } from './writing.js';

const $ = (id) => document.getElementById(id);
const states = { not_started: 'not started', pending: 'awaiting approval', active: 'active', finished: 'finished',
  deleted: 'deleted' };

let open = null; // the open sequence

export async function showSequences() {
  const sequences = await all('v2/sequences');
  $('sequences').replaceChildren(...sequences.map(row));
  if (sequences.length === 0) $('sequences').append(element('li', { class: 'about' }, 'None yet.'));
}

function row(s) {
  const rates = [s.status, counted(s.total_leads, 'lead'), `${s.open_rate} % opened`, `${s.click_rate} % clicked`,
    `${s.reply_rate} % replied`].join(', ');
  return element('li', null, element('div', null, element('bdi', null, s.name),
    element('p', { class: 'about' }, rates)),
    button('Open', s.name, () => attempt(() => openSequence(s))));
}

export async function openSequence(s) {
  open = s;
  $('sequence-title').replaceChildren(element('bdi', null, s.name));
  $('status').value = s.status;
  $('which').value = '';
  await showLeads();
  $('sequence').hidden = false;
  $('sequence-title').focus();
}

async function showLeads() {
  const which = $('which').value;
  const path = `v2/sequences/${encodeURIComponent(open.id)}/leads${which ? `?status=${which}` : ''}`;
  await pager(path, $('leads'), $('more-leads'), lead, 'No leads. Add people to the sequence from a search.').show();
}

function lead(l) {
  const latest = l.latest_update ? `, ${l.latest_update}` : '';
  const closed = l.status === 'finished' || l.status === 'deleted';
  return element('li', null, element('div', null, element('bdi', null, l.person.full_name),
    element('p', { class: 'about' }, `${states[l.status]}${latest}`)),
  element('div', { class: 'offers' }, closed ? '' : button('Write', l.person.full_name, () => draft(l)),
    closed ? '' : button('Finish', l.person.full_name, () => attempt(async () => {
      if (!await confirmed(`Finish ${l.person.full_name}?`,
        ['Scheduled e-mails to this lead are canceled, and drafts can no longer be approved.',
          'This page cannot reopen a lead; the API can.'], 'Finish')) return;
      await ask('PUT', `v2/sequences/${encodeURIComponent(open.id)}/leads/${encodeURIComponent(l.id)}`,
        { status: 'finished' });
      await showLeads();
    }))));
}

// draft opens the form for an e-mail to a lead, filled with the first template of the sequence.
function draft(l) {
  const template = open.ai_email_templates[0] || { subject: '', email_body: 'Hi {first_name},\n\n' };
  write({
    title: `E-mail to ${l.person.full_name}`, to: l.person.email, subject: template.subject,
    text: template.email_body, at: null, approve: false,
    send: async (given) => {
      await ask('POST', `v2/sequences/${encodeURIComponent(open.id)}/leads/${encodeURIComponent(l.id)}/emails`, given);
      document.dispatchEvent(new Event('drafted'));
      await showLeads();
      $('state').textContent = 'The e-mail is awaiting approval.';
      $('state').focus();
    },
  });
}

$('which').addEventListener('change', () => attempt(showLeads));

$('status').addEventListener('change', () => attempt(async () => {
  try {
    open = await ask('PATCH', `v2/sequences/${encodeURIComponent(open.id)}`, { status: $('status').value });
  } finally {
    $('status').value = open.status;
  }
  await showSequences();
  $('state').textContent = `The sequence is ${open.status}.`;
}));
