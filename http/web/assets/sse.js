import { reached } from './session.js';

// Reads Server-Sent Events from the body of a fetch, because EventSource cannot POST. Yields {event, id, data} for each
// event, with data as text.
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let event = blank();
  try {
    for (;;) {
      const { value, done } = await reached(reader.read());
      if (done) return; // drops an event without its blank line
      rest += value;
      // A carriage return at the end may be half of a line break.
      const held = rest.endsWith('\r') ? '\r' : '';
      const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\r|\n/);
      rest = lines.pop() + held;
      for (const line of lines) {
        if (line !== '') {
          field(event, line);
        } else {
          const { name, id, lines: data } = event;
          if (data.length > 0) yield { event: name || 'message', id, data: data.join('\n') };
          event = blank();
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function blank() {
  return { name: '', id: '', lines: [] };
}

function field(event, line) {
  const colon = line.indexOf(':');
  if (colon === 0) return; // a comment that keeps the connection alive
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'event') event.name = value;
  if (name === 'id') event.id = value;
  if (name === 'data') event.lines.push(value);
}
