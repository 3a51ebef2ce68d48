import { element, plain } from './dom.js';

const long = 60; // letters, from which on a value is cut

// didYouMean gives a button for each other reading of a prompt that the form can ask for. It calls take(alternative).
export function didYouMean({ alternatives = [], filters }, search, take) {
  const buttons = alternatives.filter((a) => canAsk(a, search)).map((a) => {
    const says = Object.entries(a.filters).map(([field, value]) => `${plain(field)}: ${brief(field, value, filters)}`);
    if (a.network) says.push('your network');
    const b = element('button', { type: 'button', class: 'quiet', title: a.says },
      element('bdi', null, says.join('; ')));
    b.addEventListener('click', () => take(a));
    return b;
  });
  return buttons.length > 0 ? [element('span', null, 'Did you mean'), ...buttons] : [];
}

// canAsk reports whether the form can say all of an alternative beside the filters that it has: a filter of its own
// would be lost for one of the same name, and it has no other network than the whole.
function canAsk({ filters, network }, search) {
  if (Object.keys(filters).some((name) => search.filters && name in search.filters)) return false;
  if (network === null) return true;
  return !search.scope && network.degrees.length === 2 && network.introducers_of === null && !network.order && !network.last_contact;
}

// brief names a long value by the words of the prompt that it was read from as well, where it is the same.
function brief(field, value, read) {
  if (value.length <= long) return value;
  const same = read.find((f) => f.field === field && f.value === value && f.text);
  return same ? same.text : `${value.slice(0, long).replace(/, [^,]*$/, ',')} …`;
}
