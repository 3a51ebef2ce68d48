// Refused is an answer that is an error, as the server describes it.
export class Refused extends Error {
  constructor(error) {
    super(error.detail);
    this.error = error;
  }
}

// refusal makes one of an answer of fetch.
export async function refusal(answer) {
  const said = await answer.json().catch(() => null);
  const error = (said && said.error) || { detail: `The server answered ${answer.status}.` };
  if (error.code === 'TOKEN_MISSING') Object.assign(error, { title: '', detail: 'You are not signed in.' });
  return new Refused({ ...error, after: answer.headers.get('Retry-After') });
}

const meta = document.querySelector('meta[name="kith-token"]');
const published = meta ? meta.content : ''; // the token of the demo, where there is one
const kept = storage();

let session = kept.getItem('signed-in') === 'yes';

// signedIn says whether this browser has a session. Scripts cannot see its cookie, so a note is kept. Where the
// session has ended meanwhile, a page does not turn to the demo before it is loaded again.
export function signedIn() {
  return session;
}

export function noteSignedIn(is) {
  session = is;
  if (is) kept.setItem('signed-in', 'yes');
  else kept.removeItem('signed-in');
}

// visiting says whether the demo is looked at without a session.
export function visiting() {
  return published !== '' && !signedIn();
}

// credentials are the headers of a request: none in a session, whose cookie the browser sends by itself.
export function credentials() {
  return visiting() ? { Authorization: `Bearer ${published}` } : {};
}

// request asks the API and gives its answer, or throws what it refused.
export async function request(method, path, body, signal) {
  const headers = credentials();
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  if (answer.ok) return answer;
  if (answer.status === 401) kept.removeItem('signed-in');
  throw await refusal(answer);
}

// ask gives the data of an answer.
export async function ask(method, path, body) {
  return (await (await request(method, path, body)).json()).data;
}

// all gives the data of all pages of a list, up to a number of them.
export async function all(path, pages = 10) {
  const out = [];
  let cursor = '';
  for (let i = 0; i < pages; i++) {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
    const answer = await (await request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)).json();
    out.push(...answer.data);
    if (!answer.pagination.has_next_page) break;
    cursor = answer.pagination.cursor;
  }
  return out;
}

// storage is what this browser keeps; nothing where it lets pages keep nothing.
function storage() {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => '', setItem: () => {}, removeItem: () => {} };
  }
}
