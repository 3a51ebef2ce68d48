import { element, plain } from './dom.js';

const long = 60; // characters; longer values are cut

// didYouMean returns a button for each alternative reading that the form can express. A click calls take(alternative).
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

// canAsk reports whether the form can express an alternative together with its present filters. The form has one field
// for each filter name, and only the whole network.
function canAsk({ filters, network }, search) {
  if (Object.keys(filters).some((name) => search.filters && name in search.filters)) return false;
  if (network === null) return true;
  return !search.scope && network.degrees.length === 2 && network.introducers_of === null
    && !network.order && !network.last_contact;
}

// brief replaces a long value with the words of the prompt if the first reading has the same value.
function brief(field, value, read) {
  if (value.length <= long) return value;
  const same = read.find((f) => f.field === field && f.value === value && f.text);
  return same ? same.text : `${value.slice(0, long).replace(/, [^,]*$/, ',')} …`;
}
