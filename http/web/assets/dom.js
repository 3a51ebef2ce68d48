// element makes an element. Children are elements or text; text is never read
// as markup.
export function element(tag, properties, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === 'class') e.className = value;
    else e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== ''));
  return e;
}

// apart gives texts beside one another, each in a direction of its own: a name
// from right to left, or one that turns letters around, moves nothing beside it.
export function apart(texts, between) {
  return texts.filter(Boolean).flatMap((text, i) => [i > 0 ? between : '', element('bdi', null, text)]);
}

// plain is the name of a filter as words; any other text is as it is.
export function plain(name) {
  return /^[a-z]+([A-Z][a-z]+)+$/.test(name) ? name.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`) : name;
}

// counted is a number with its noun: 1 lead, 2 leads.
export function counted(n, one, many = `${one}s`) {
  return `${n.toLocaleString()} ${n === 1 ? one : many}`;
}

// when is a time as people read it.
export function when(at) {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

// frame ends when what was changed so far is on the screen; or soon, where nothing is painted, as in a hidden tab.
export function frame() {
  return new Promise((done) => {
    const after = new MessageChannel(); // its message comes after the frame
    after.port1.onmessage = done;
    requestAnimationFrame(() => after.port2.postMessage(null));
    setTimeout(done, 100);
  });
}

// button makes one of several buttons that say the same: of tells a screen reader which.
export function button(says, of, press) {
  const b = element('button', { type: 'button', class: 'quiet' }, says, element('span', { class: 'hidden' }, ` ${of}`));
  b.addEventListener('click', press);
  return b;
}
