import { element } from './dom.js';
import { trouble } from './problem.js';
import { all, ask } from './session.js';

// Forms for actions on people. Each takes (people, say, ways); say(text) reports the outcome.

const last = { list: '', sequence: '' }; // the latest choices, offered first

// saving returns a form that puts people on a list.
export async function saving(people, say) {
  const lists = await all('v2/lists');
  const chosen = chooser('List', 'New list', last.list, lists.map((l) => [l.id, l.name]));
  return form('Save', chosen.parts, say, async () => {
    const id = chosen.value() || (await ask('POST', 'v2/lists', { name: chosen.name() })).id;
    last.list = id;
    const { summary } = await ask('POST', `v2/lists/${encodeURIComponent(id)}/people`,
      { people: people.map((p) => p.id) });
    return summarize(people, `Saved to ${chosen.label()}`, summary.changed,
      [[summary.unchanged, `already on ${chosen.label()}`], [summary.not_found, 'not found']]);
  });
}

// sequencing returns a form that makes people leads of a sequence.
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
    return summarize(people, `Added to ${chosen.label()}`, summary.created,
      [[summary.unchanged, `already in ${chosen.label()}`], [summary.refused, `not added: ${refused}`]]);
  });
}

// summarize says how many people an action changed, and why not the others.
function summarize(people, done, n, others) {
  const rest = others.filter(([count]) => count > 0);
  if (people.length === 1) return n > 0 ? `${done}.` : `${people[0].full_name} is ${rest[0][1]}.`;
  return [`${done}: ${n.toLocaleString()}`,
    ...rest.map(([count, says]) => `${says}: ${count.toLocaleString()}`)].join('; ');
}

// chooser offers the existing options, and a field for the name of a new one.
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

// form calls do_ when it is submitted, and reports the result.
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

// introduction drafts a request to introduce the caller to a person. The caller sends it from a mail program.
export async function introduction([person], say, ways) {
  const found = await ways;
  const by = found.paths.filter((p) => p.type === 'intro');
  if (by.length === 0) {
    const known = found.paths.length > 0;
    return element('p', { class: 'about' },
      known ? 'You know each other: write directly.'
        : 'Nobody you know can introduce you yet. Import your contacts to find more ways.');
  }
  const select = element('select', null,
    ...by.map((p, i) => element('option', { value: String(i) }, p.introducer.profile.full_name)));
  const subject = element('input', { maxlength: '200' });
  const message = element('textarea', { rows: '9' });
  const mail = element('a', { class: 'button', href: 'mailto:' }, 'Open in your mail program');
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy');
  let address = '';
  const link = () => {
    mail.href = `mailto:${encodeURIComponent(address)}?${query({ subject: subject.value, body: message.value })}`;
  };
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
    say('The browser refused to copy. The text is selected: press Ctrl+C or ⌘C.');
  }));
  await draft();
  return element('div', { class: 'form' }, element('label', null, 'Ask', select),
    element('label', null, 'Subject', subject),
    element('label', null, 'Message', message), element('p', { class: 'offers' }, mail, copy));
}

function query(of) {
  return Object.entries(of).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
