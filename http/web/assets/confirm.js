import { element } from './dom.js';

// confirmed asks before data is destroyed: a question, what will be lost, and the text of the button that does it. With
// typed, the user must type this text. It returns whether the user agrees. The focus starts on Cancel, or on the field.
export function confirmed(question, lost, button, typed = '') {
  const field = typed ? element('input', { autocomplete: 'off', autofocus: '' }) : null;
  const yes = element('button', { value: 'yes', class: 'danger', ...(typed && { disabled: '' }) }, button);
  const dialog = element('dialog', { class: 'confirm', role: 'alertdialog', 'aria-labelledby': 'confirm-title',
    'aria-describedby': 'confirm-lost' },
  element('form', { method: 'dialog' },
    element('h2', { id: 'confirm-title' }, question),
    element('div', { id: 'confirm-lost' }, ...lost.filter(Boolean).map((text) => element('p', null, text))),
    field && element('label', null, 'To confirm, type ', element('strong', null, element('bdi', null, typed)), field),
    element('p', { class: 'offers' },
      element('button', { type: 'button', class: 'quiet', ...(!typed && { autofocus: '' }) }, 'Cancel'), yes)));
  const cancel = dialog.querySelector('[type=button]');
  cancel.addEventListener('click', () => dialog.close());
  if (field) field.addEventListener('input', () => { yes.disabled = field.value !== typed; });
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === 'yes');
    });
  });
}
