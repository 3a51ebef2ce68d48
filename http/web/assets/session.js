// Refused is an error answer of the server.
export class Refused extends Error {
  constructor(error) {
    super(error.detail);
    this.error = error;
  }
}

// Lost says that the server gave no answer, or not the whole one.
export class Lost extends Error {}

// reached waits for an answer or a part of it. Browsers report a lost connection as a TypeError, like an error of a
// script; reached makes it Lost. A cancelled request stays an AbortError.
export async function reached(part) {
  try {
    return await part;
  } catch (err) {
    throw err.name === 'AbortError' ? err : new Lost(err.message, { cause: err });
  }
}

// read returns the JSON of a fetch response.
export async function read(answer) {
  const text = await reached(answer.text());
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused({ detail: `The server answered ${answer.status} with something other than JSON.` });
  }
}

// refusal returns the Refused of a fetch response.
export async function refusal(answer) {
  const said = await read(answer).catch(() => null);
  const error = (said && said.error) || { detail: `The server answered ${answer.status}.` };
  if (error.code === 'TOKEN_MISSING') Object.assign(error, { title: '', detail: 'You are not signed in.' });
  return new Refused({ ...error, after: answer.headers.get('Retry-After') });
}

const meta = document.querySelector('meta[name="kith-token"]');
const demo = Boolean(meta && meta.content); // the server serves a demo
const chosen = 'kith_dataset=demo'; // the cookie with which the server answers from the demo
const kept = storage();

let session = kept.getItem('signed-in') === 'yes';

// signedIn reports whether this browser has a session. Scripts cannot see its cookie, so local storage has a note.
export function signedIn() {
  return session;
}

export function noteSignedIn(is) {
  session = is;
  if (is) kept.setItem('signed-in', 'yes');
  else kept.removeItem('signed-in');
}

// demoServed reports whether there is a demo to visit.
export function demoServed() {
  return demo;
}

// visiting reports whether the page shows the demo, with or without a session.
export function visiting() {
  return demo && document.cookie.split('; ').includes(chosen);
}

// visit makes pages show the demo, or the session's own data, from their next request.
export function visit(is) {
  if (demo) document.cookie = `${chosen}; path=/; samesite=strict; max-age=${is ? 30 * 86400 : 0}`;
}

if (!session) visit(true); // here only: after a session has ended, a page shows the demo once it is loaded again

// request calls the API and returns the response. It throws Refused for an error answer.
export async function request(method, path, body, signal) {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const answer = await reached(fetch(path, { method, headers, body: JSON.stringify(body), signal }));
  if (answer.ok) return answer;
  if (answer.status === 401) kept.removeItem('signed-in');
  throw await refusal(answer);
}

// ask returns the data of an answer.
export async function ask(method, path, body) {
  return (await read(await request(method, path, body))).data;
}

// all returns the entries of a list, of at most this many pages.
export async function all(path, pages = 10) {
  const out = [];
  let cursor = '';
  for (let i = 0; i < pages; i++) {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
    const answer = await read(await request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`));
    out.push(...answer.data);
    if (!answer.pagination.has_next_page) break;
    cursor = answer.pagination.cursor;
  }
  return out;
}

// storage returns local storage, or an empty substitute if the browser forbids it.
function storage() {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => '', setItem: () => {}, removeItem: () => {} };
  }
}
