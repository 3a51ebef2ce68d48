// element creates an element. Children are elements or text; text is never parsed as markup.
export function element(tag, properties, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === 'class') e.className = value;
    else e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== ''));
  return e;
}

// apart isolates the writing direction of each text, so right-to-left names do not reorder their neighbours.
export function apart(texts, between) {
  return texts.filter(Boolean).flatMap((text, i) => [i > 0 ? between : '', element('bdi', null, text)]);
}

// plain turns the name of a filter into words. It returns other texts unchanged.
export function plain(name) {
  return /^[a-z]+([A-Z][a-z]+)+$/.test(name) ? name.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`) : name;
}

// counted returns a number with its noun: 1 lead, 2 leads.
export function counted(n, one, many = `${one}s`) {
  return `${n.toLocaleString()} ${noun(n, one, many)}`;
}

// noun returns the form of a noun that goes with a number.
export function noun(n, one, many = `${one}s`) {
  return n === 1 ? one : many;
}

// when formats a time for the reader's locale.
export function when(at) {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

// frame resolves after the next paint, or after 100 ms if nothing is painted, as in a hidden tab.
export function frame() {
  return new Promise((done) => {
    const after = new MessageChannel(); // its message arrives after the frame
    after.port1.onmessage = done;
    requestAnimationFrame(() => after.port2.postMessage(null));
    setTimeout(done, 100);
  });
}

// button creates one of several buttons with the same text. Screen readers also read of, which tells them apart.
export function button(says, of, press) {
  const b = element('button', { type: 'button', class: 'quiet' }, says, element('span', { class: 'hidden' }, ` ${of}`));
  b.addEventListener('click', press);
  return b;
}
