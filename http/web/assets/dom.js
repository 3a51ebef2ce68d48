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
