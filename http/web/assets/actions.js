import { element } from './dom.js';
import { trouble } from './problem.js';
import { all, ask } from './session.js';

// Forms of what can be done with people. Each is made with (people, say, ways): say(text) tells what became of it.

const last = { list: '', sequence: '' }; // what was chosen last, to be offered first

// saving puts people on a list.
export async function saving(people, say) {
  const lists = await all('v2/lists');
  const chosen = chooser('List', 'New list', last.list, lists.map((l) => [l.id, l.name]));
  return form('Save', chosen.parts, say, async () => {
    const id = chosen.value() || (await ask('POST', 'v2/lists', { name: chosen.name() })).id;
    last.list = id;
    const { summary } = await ask('POST', `v2/lists/${encodeURIComponent(id)}/people`,
      { people: people.map((p) => p.id) });
    return told(people, `Saved to ${chosen.label()}`, summary.changed,
      [[summary.unchanged, `on ${chosen.label()} already`], [summary.not_found, 'not found']]);
  });
}

// sequencing makes people leads of a sequence.
export async function sequencing(people, say) {
  const sequences = (await all('v2/sequences')).filter((s) => s.status !== 'finished');
  const chosen = chooser('Sequence', 'New sequence', last.sequence,
    sequences.map((s) => [s.id, `${s.name} (${s.status})`]));
  return form('Add', chosen.parts, say, async () => {
    const id = chosen.value() || (await ask('POST', 'v2/sequences', { name: chosen.name() })).id;
    last.sequence = id;
    const { results, summary } = await ask('POST', `v2/sequences/${encodeURIComponent(id)}/leads`,
      { people: people.map((p) => p.id) });
    const refused = [...new Set(results.filter((r) => r.error).map((r) => r.error.message))].join('; ');
    return told(people, `Added to ${chosen.label()}`, summary.created,
      [[summary.unchanged, `in ${chosen.label()} already`], [summary.refused, `not added: ${refused}`]]);
  });
}

// told says of how many people something was done, and of how many what else holds.
function told(people, done, n, others) {
  const rest = others.filter(([count]) => count > 0);
  if (people.length === 1) return n > 0 ? `${done}.` : `${people[0].full_name} is ${rest[0][1]}.`;
  return [`${done}: ${n.toLocaleString()}`,
    ...rest.map(([count, says]) => `${says}: ${count.toLocaleString()}`)].join('; ');
}

// chooser is a choice among what there is, and the name of something new.
function chooser(label, newLabel, first, options) {
  const select = element('select', null, ...options.map(([id, name]) => element('option', { value: id }, name)),
    element('option', { value: '' }, `${newLabel}…`));
  if (options.some(([id]) => id === first)) select.value = first;
  const input = element('input', { maxlength: '200', required: '' });
  const named = element('label', null, 'Name', input);
  const fit = () => {
    named.hidden = select.value !== '';
    input.disabled = named.hidden;
  };
  select.addEventListener('change', fit);
  fit();
  return {
    parts: [element('label', null, label, select), named],
    value: () => select.value,
    name: () => input.value.trim(),
    label: () => (select.value ? select.selectedOptions[0].textContent : input.value.trim()),
  };
}

// form does what do_ does when it is sent, and says what that gives.
function form(button, parts, say, do_) {
  const send = element('button', { type: 'submit' }, button);
  const f = element('form', null, ...parts, send);
  f.addEventListener('submit', async (e) => {
    e.preventDefault();
    send.disabled = true;
    try {
      const text = await do_();
      f.remove();
      say(text);
    } catch (err) {
      send.disabled = false;
      say((err.error && err.error.errors && err.error.errors.map((p) => p.message).join('; ')) || trouble(err));
    }
  });
  return f;
}

// introduction drafts a message that asks somebody to introduce the caller to a person. It is sent from the
// caller's own mail program.
export async function introduction([person], say, ways) {
  const found = await ways;
  const by = found.paths.filter((p) => p.type === 'intro');
  if (by.length === 0) {
    const known = found.paths.length > 0;
    return element('p', { class: 'about' },
      known ? 'You know each other: write to them yourself.'
        : 'Nobody you know can introduce you yet. Import your contacts to find more ways.');
  }
  const select = element('select', null,
    ...by.map((p, i) => element('option', { value: String(i) }, p.introducer.profile.full_name)));
  const subject = element('input', { maxlength: '200' });
  const message = element('textarea', { rows: '9' });
  const mail = element('a', { class: 'button', href: 'mailto:' }, 'Open in your mail program');
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy');
  let address = '';
  const link = () => { mail.href = `mailto:${encodeURIComponent(address)}?${query({ subject: subject.value, body: message.value })}`; };
  const draft = async () => {
    const { id } = by[Number(select.value)].introducer.profile;
    const written = await ask('POST', `v2/people/${person.id}/introduction`, { introducer: id });
    if (by[Number(select.value)].introducer.profile.id !== id) return;
    subject.value = written.subject;
    message.value = written.text;
    address = '';
    link();
    const known = await ask('GET', `v2/people/${id}/profile`).catch(() => ({ email: '' }));
    if (by[Number(select.value)].introducer.profile.id !== id || !/^[\w.+-]+@[\w.-]+$/.test(known.email)) return;
    address = known.email;
    link();
  };
  select.addEventListener('change', () => draft().catch((err) => say(trouble(err))));
  for (const field of [subject, message]) field.addEventListener('input', link);
  copy.addEventListener('click', () => navigator.clipboard.writeText(message.value).then(() => say('Copied.'), () => {
    message.select();
    say('The browser does not let the page copy. The text is selected: copy it yourself.');
  }));
  await draft();
  return element('div', { class: 'form' }, element('label', null, 'Ask', select),
    element('label', null, 'Subject', subject),
    element('label', null, 'Message', message), element('p', { class: 'offers' }, mail, copy));
}

function query(of) {
  return Object.entries(of).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
