import { apart, element, plain } from './dom.js';

const long = 60; // characters; longer values are named by the words of the prompt

// understanding shows an interpretation: its parts as chips, the results of its steps, corrected spellings and unused
// words. If pressed.canChange(part), a chip calls pressed.edit(part), and its cross pressed.drop([part]).
export function understanding(interpretation, pressed) {
  const { filters, preferences = [], conditions, criteria, steps, network, corrections = [], ignored,
    notes } = interpretation;
  const part = (of, text, title) => chip(of, text, title, pressed);
  const chips = [
    ...(network ? [part(network, asksOf(network, steps), network.text)] : []),
    ...filters.map((f) => value(f, part)),
    ...preferences.map((p) => part(p,
      `preferably ${brief(p, `${plain(p.field)}: ${p.value}`, p.text && `${plain(p.field)}: ${p.text}`)}`, p.value)),
    ...conditions.map((c) => part(c, brief(c, c.says), c.says)),
    ...criteria.map((c) => part(c, c.name, c.formula)),
  ];
  return [
    chips.length > 0 ? element('span', null, 'Understood as') : '', ...chips,
    ...steps.map((s) => note(found(s))),
    corrections.length > 0 ? note('Read as: ', ...apart(corrections.map((c) => `${c.to} (${c.from})`), ', ')) : '',
    ignored.length > 0 ? note('Not used: ', ...apart(ignored, ', ')) : '',
    ...notes.map((text) => note(text)),
  ].filter(Boolean);
}

function note(...children) {
  return element('p', { class: 'note' }, ...children);
}

function found(step) {
  const names = step.people.map((p) => p.full_name).join(', ');
  return `${step.says}: ${step.found} found${names ? ` (${names})` : ''}`;
}

// asksOf describes the network condition of a prompt.
function asksOf(network, steps) {
  if (network.introducers_of !== null) return `can introduce you to ${steps[network.introducers_of].says}`;
  const who = { 1: 'people you know', 2: 'friends of friends',
    12: 'your network' }[[...network.degrees].sort().join('')];
  return network.order === 'strength' || network.last_contact ? `${who}, strongest first` : who;
}

function value(f, part) {
  const says = `${plain(f.field)}: ${f.value}`;
  return part(f, brief(f, says, f.text && `${plain(f.field)}: ${f.text}`), says);
}

// brief names a long value by the words of the prompt. An excluded value is cut instead: mid-level excludes all other
// levels.
function brief(part, says, words) {
  let text = says;
  if (words && says.length > long) text = part.excluded ? `${says.slice(0, long).replace(/, [^,]*$/, ',')} …` : words;
  return part.excluded ? `not ${text.replaceAll(/(: |, )-/g, '$1')}` : text;
}

// chip shows a part of the interpretation, with buttons that change and remove it.
function chip(part, text, title, pressed) {
  if (!pressed.canChange(part)) return element('span', { class: 'chip', title }, element('bdi', null, text));
  const edit = element('button', { type: 'button' }, element('span', { class: 'hidden' }, 'Change '),
    element('bdi', null, text));
  edit.addEventListener('click', () => pressed.edit(part));
  const cross = element('button', { type: 'button', 'aria-label': `Remove ${text}` }, '×');
  cross.addEventListener('click', () => pressed.drop([part]));
  return element('span', { class: 'chip', title }, edit, cross);
}
