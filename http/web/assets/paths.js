import { apart, element } from './dom.js';

// labels names the strengths of relationships.
export const labels = { excellent: 'excellent', very_good: 'very good', good: 'good', okay: 'okay', maybe: 'maybe' };

const least = [['excellent', '9.5'], ['very good', '7.5'], ['good', '4'], ['okay', '1'], ['maybe', '0.5']];

// paths draws the ways to a person, strongest first, with a legend of the strengths.
export function paths(ways, name) {
  const title = element('h3', null, 'Ways in');
  if (ways.length === 0) return [title, element('p', { class: 'about' }, 'None yet. Import contacts to find some.')];
  return [title, element('ul', { class: 'paths', role: 'list' }, ...ways.map((way) => drawn(way, name))), legend()];
}

function drawn(way, name) {
  const you = node('You');
  const target = node(name);
  if (way.type === 'direct') return element('li', null, you, hop(way.score_label, way.score_meta), target);
  const by = way.introducer;
  return element('li', null, you, hop(by.score_label, by.score_meta), node(by.profile.full_name),
    hop(way.score_label, way.starters), target);
}

function node(name) {
  return element('span', { class: 'node' }, element('bdi', null, name));
}

function hop(label, reasons) {
  const why = reasons.map((r) => [r.title, r.description].filter(Boolean).join(', '));
  return element('span', { class: `hop ${label || 'weak'}` }, element('strong', null, labels[label] || 'weak'), ' ',
    element('span', null, ...apart(why, '; ')));
}

function legend() {
  const scale = least.map(([word, from]) => `${word} from ${from}`).join(', ');
  return element('details', null, element('summary', null, 'What the words mean'),
    element('p', { class: 'about' }, `Each relationship has a score from 0 to 10: ${scale}. `
      + 'Time worked or studied together raises it, most in small teams, and so do mail and meetings.'));
}
