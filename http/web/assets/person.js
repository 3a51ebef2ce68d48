import { apart, element, plain, trouble } from './dom.js';

// card shows a person in brief. The rest is asked for with ask(path, body),
// which gives the data of the answer, once it is looked at.
export function card(person, ask) {
  const job = person.work_relevant || {};
  const company = job.company || {};
  const place = [person.location.city, person.location.state, person.location.country].filter(Boolean).join(', ');
  const since = job.start_date ? `since ${job.start_date.slice(0, 4)}` : '';
  const staff = company.employee_count ? `${company.employee_count.toLocaleString()} employees` : '';
  const said = [job.title, company.name].filter(Boolean).join(' at ').startsWith(person.headline.replace(' @ ', ' at '));
  return element('li', { class: 'person' },
    element('span', { class: 'initials', 'aria-hidden': 'true' }, initials(person.full_name)),
    element('div', null,
      element('h2', null, ...profile(person)),
      line(null, work(job)),
      line('about', said ? [] : apart([person.headline])),
      line('about', apart([place, since, company.industry, staff], ' · ')),
      line('way', reach(person.match)),
      line('about', lacks(person.match)),
      more(person, ask)));
}

function line(name, parts) {
  return parts.length > 0 ? element('p', name && { class: name }, ...parts) : '';
}

// profile links to the profile, if its address is one of the web. It may be stored
// without a scheme.
function profile(person) {
  const name = apart([person.full_name]);
  const address = /^[\w.-]+\.\w+\//.test(person.social_url) ? ['https:', '', person.social_url].join('/') : person.social_url;
  if (!/^https?:\/\//i.test(address)) return name;
  return [element('a', { href: address, rel: 'noopener noreferrer nofollow', target: '_blank' }, ...name)];
}

function initials(name) {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) || []);
  const ends = letters.length > 1 ? [letters[0], letters[letters.length - 1]] : letters;
  return ends.join('').toUpperCase();
}

function work(job) {
  return apart([job.title, job.company && job.company.name], ' at ');
}

// reach says how the caller reaches a person.
function reach(match) {
  const network = match && match.network;
  if (!network || !network.degree) return [];
  if (network.introduces) return ['Can introduce you to ', ...some(network.introduces.map((i) => i.person.full_name))];
  if (network.degree === 1) return ['You know each other'];
  return ['Through ', ...some(network.introducers.map((i) => i.name))];
}

// lacks says what of what was asked for does not hold of a person who comes close.
function lacks(match) {
  const missing = (match && match.closest && match.closest.missing) || [];
  const one = (m) => `${plain(m.field)} ${m.value.length > 60 ? `${m.value.slice(0, 60)}…` : m.value}${m.instead ? ` (${m.instead})` : ''}`;
  return missing.length > 0 ? ['Asked for, but not so: ', ...apart(missing.map(one), '; ')] : [];
}

// some shows the first of several names, and how many there are besides.
function some(names) {
  const others = names.length - 2;
  return [...apart(names.slice(0, 2), others > 0 ? ', ' : ' or '), others > 0 ? ` or ${others} more` : ''];
}

// more is what is shown of a person on demand.
function more(person, ask) {
  const rest = element('div');
  const details = element('details', null, element('summary', null, 'Career, and ways in', element('span', { class: 'hidden' }, ` of ${person.full_name}`)), rest);
  let asked = false;
  details.addEventListener('toggle', async () => {
    if (!details.open || asked) return;
    asked = true;
    rest.replaceChildren('Loading…');
    try {
      const [known, ways] = await Promise.all([
        ask('v2/people/enrich', { social_url: person.social_url }),
        ask(`v2/people/${person.id}/paths`, {}),
      ]);
      rest.replaceChildren(...full(person, known, ways));
    } catch (err) {
      asked = false; // opened again, it is tried again
      rest.replaceChildren(trouble(err));
    }
  });
  return details;
}

function full(person, known, ways) {
  return [
    line(null, apart([person.about_me])),
    ...list('Why', person.match ? person.match.criteria.filter(telling).map(reason) : []),
    ...list('Introductions', introductions(person.match)),
    ...list('Ways in', ways.paths.map(way)),
    ...list('Career', known.work_history.map((j) => element('li', null, ...work(j), period(j)))),
  ].filter(Boolean);
}

// telling leaves out what only says that an exclusion holds.
function telling(criterion) {
  return criterion.evidence !== '' && !criterion.criterion.includes(': -');
}

function reason(c) {
  const kept = c.satisfied === 'yes' ? '' : ` (${c.satisfied})`;
  return element('li', { title: c.criterion }, `${plain(c.criterion.split(': ')[0])}${kept}: `, ...apart([c.evidence]));
}

// introductions say whom of those asked for a person knows, and how strong the path is.
function introductions(match) {
  const known = (match && match.network.introduces) || [];
  return known.map((i) => told(['To ', ...apart([i.person.full_name])], i.score_label, [i.person.headline]));
}

function way(path) {
  if (path.type === 'direct') return told(['You know each other'], path.score_label, path.score_meta.map((r) => r.title));
  const reasons = path.starters.map((r) => `${r.title}, ${r.description}`);
  return told(['Through ', ...apart([path.introducer.profile.full_name])], path.score_label, reasons);
}

function told(how, label, reasons) {
  const strength = label ? ` (${label.replace('_', ' ')})` : '';
  return element('li', null, ...how, `${strength}: `, ...apart(reasons, '; '));
}

function period(job) {
  if (!job.start_date && !job.end_date) return '';
  return `, ${known(job.start_date, job.start_date_precision) || '?'} to ${known(job.end_date, job.end_date_precision) || 'today'}`;
}

// known is as much of a date as the record says.
function known(date, precision) {
  return date && date.slice(0, { year: 4, month: 7 }[precision]);
}

function list(title, items) {
  if (items.length === 0) return [];
  return [element('h3', null, title), element('ul', null, ...items)];
}
