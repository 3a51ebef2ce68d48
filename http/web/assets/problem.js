import { element } from './dom.js';

// problem shows an error in the element #problem.
export function problem(error) {
  const at = document.getElementById('problem');
  const problems = (error.errors || []).map((p) => element('li', null, `${p.field}: ${p.message}`));
  at.replaceChildren(
    element('p', null, [error.title, error.detail].filter(Boolean).join(': ')),
    error.after ? element('p', null, `Try again in ${error.after} s.`) : '',
    problems.length > 0 ? element('ul', null, ...problems) : '',
    error.status === 401 ? element('p', null, element('a', { href: 'sign-in' }, 'Sign in')) : '',
  );
  at.hidden = false;
  at.scrollIntoView({ block: 'nearest' });
}

// attempt runs what() and shows its error. It returns whether it succeeded.
export async function attempt(what) {
  document.getElementById('problem').hidden = true;
  try {
    await what();
    return true;
  } catch (err) {
    problem(err.error || { detail: trouble(err) });
    return false;
  }
}

// trouble returns the message of an error: that of the server if it answered.
export function trouble(err) {
  return err.error ? err.message : 'The server cannot be reached, or the connection was lost. Try again.';
}
