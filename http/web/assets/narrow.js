import { element, plain } from './dom.js';
import { read } from './session.js';

// Names of facets, each also a field of the form.
const facets = ['city', 'company', 'companyIndustry', 'companySize', 'seniority'];
const most = 7; // values of each, to keep the people in view

// counting requests the facets of a search with post(path, body). It returns a button for each value. A click calls
// take(field, value).
export async function counting(search, post, take) {
  const { stream, explain, include_counts, ...same } = search;
  const answer = await post('v2/people/search', { ...same, limit: 1, facets });
  const counted = (await read(answer)).metadata.facets;
  const groups = facets.filter((name) => counted[name].length > 1).map((name) => group(name, counted[name], take));
  return groups.length > 0 ? groups : ['No facet separates these people further.'];
}

function group(name, values, take) {
  const buttons = values.slice(0, most).map((v) => button(v, () => take(name, literal(v.value))));
  return element('div', { role: 'group', 'aria-label': plain(name) },
    element('span', null, `${plain(name)}: `), ...buttons);
}

function button(of, press) {
  const b = element('button', { type: 'button', class: 'quiet' }, element('bdi', null, of.value),
    ` ${of.count.toLocaleString()}`);
  b.addEventListener('click', press);
  return b;
}

// literal quotes a value with a comma or a leading sign, which have a meaning in filters.
function literal(value) {
  return /,|^[-+=]/.test(value) ? `"${value.replaceAll('"', ' ')}"` : value;
}
