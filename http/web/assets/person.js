import { apart, button, counted, element, plain } from './dom.js';

// The actions on a person: the argument of open, and the text of the button.
const offers = [['details', 'Details'], ['save', 'Save to list'], ['sequence', 'Add to sequence'],
  ['introduction', 'Ask for an introduction']];

// card shows a person as a search result. Its buttons call open(person, what).
export function card(person, open) {
  const job = person.work_relevant || {};
  const company = job.company || {};
  const since = job.start_date ? `since ${job.start_date.slice(0, 4)}` : '';
  const staff = company.employee_count ? counted(company.employee_count, 'employee') : '';
  const said = [job.title, company.name].filter(Boolean).join(' at ').startsWith(person.headline.replace(' @ ',
    ' at '));
  return element('li', { class: 'person', tabindex: '-1' },
    element('div', { class: 'mark' },
      element('span', { class: 'initials', 'aria-hidden': 'true' }, initials(person.full_name)),
      element('input', { type: 'checkbox', 'aria-label': `Select ${person.full_name}` })),
    element('div', null,
      element('h2', null, ...profile(person)),
      line(null, work(job)),
      line('about', said ? [] : apart([person.headline])),
      line('about', apart([place(person), since, company.industry, staff], ' · ')),
      badge(person.match),
      line('about', lacks(person.match)),
      element('p', { class: 'offers' },
        ...offers.map(([what, says]) => button(says, person.full_name, () => open(person, what))))));
}

export function line(name, parts) {
  return parts.length > 0 ? element('p', name && { class: name }, ...parts) : '';
}

export function place(person) {
  return [person.location.city, person.location.state, person.location.country].filter(Boolean).join(', ');
}

// profile links to the profile if it has a web address, with or without a scheme.
export function profile(person) {
  const name = apart([person.full_name]);
  const url = person.social_url || '';
  const address = /^[\w.-]+\.\w+\//.test(url) ? ['https:', '', url].join('/') : url;
  if (!/^https?:\/\//i.test(address)) return name;
  return [element('a', { href: address, rel: 'noopener noreferrer nofollow', target: '_blank' }, ...name)];
}

function initials(name) {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) || []);
  const ends = letters.length > 1 ? [letters[0], letters[letters.length - 1]] : letters;
  return ends.join('').toUpperCase();
}

export function work(job) {
  return apart([job.title, job.company && job.company.name], ' at ');
}

// badge shows the degree of a person and the strongest way in.
function badge(match) {
  const network = match && match.network;
  if (!network || !network.degree) return '';
  const degree = network.degree === 1 ? '1st' : '2nd';
  return element('p', { class: 'way' },
    element('span', { class: 'degree' }, degree,
      element('span', { class: 'hidden' }, ' degree')), ' ', ...way(network));
}

function way(network) {
  if (network.introduces) return ['Can introduce you to ', ...some(network.introduces.map((i) => i.person.full_name))];
  if (network.degree === 1) return ['You know each other'];
  return ['Through ', ...some(network.introducers.map((i) => i.name))]; // the strongest way first
}

// lacks lists the conditions that one of the closest people does not meet.
function lacks(match) {
  const missing = (match && match.closest && match.closest.missing) || [];
  const one = (m) => `${plain(m.field)} ${m.value.length > 60 ? `${m.value.slice(0,
    60)}…` : m.value}${m.instead ? ` (${m.instead})` : ''}`;
  return missing.length > 0 ? ['Does not match: ', ...apart(missing.map(one), '; ')] : [];
}

// some shows the first names and the number of the others.
function some(names) {
  const others = names.length - 2;
  return [...apart(names.slice(0, 2), others > 0 ? ', ' : ' or '), others > 0 ? ` or ${others} more` : ''];
}
